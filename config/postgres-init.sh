#!/usr/bin/env bash
# Makes Juliet's database in a new cluster: its owner, who migrates, and the role of the service. The image of
# PostgreSQL runs this once, on an empty volume; by hand, run it as a superuser with the two files in place.
set -euo pipefail

owner_password=$(cat /run/secrets/owner-password)
service_password=$(cat /run/secrets/service-password)

psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres \
    --set=owner_password="$owner_password" --set=service_password="$service_password" <<'SQL'
CREATE ROLE juliet_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE juliet_service LOGIN PASSWORD :'service_password';
CREATE DATABASE juliet OWNER juliet_owner;
REVOKE ALL ON DATABASE juliet FROM PUBLIC;
GRANT CONNECT ON DATABASE juliet TO juliet_service;
\connect juliet
-- Large objects need no right but these functions, and only a superuser can take them away. One that the service's role made
-- would be in the way of the owner's pg_dump.
REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea), lo_import(text),
    lo_import(text, oid) FROM PUBLIC;
SQL
