# Juliet's image: the service, the command line, the migrations and the word lists. `docker build -t juliet .`
# The same image serves (`juliet serve`, the default), migrates (`juliet migrate up`) and imports words.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends libpq-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
# The dependencies in a layer of their own: a change of our sources does not fetch them again.
COPY Package.swift ./
RUN swift package resolve
COPY . .
# Swift's libraries go into the program, so the next stage needs no toolchain; libpq stays the system's, which Debian
# keeps secure. What is stripped tells debuggers the lines; the names of functions stay, for backtraces and profiles.
RUN program=$(scripts/build) \
 && mkdir -p /image/bin /image/share/juliet \
 && strip --strip-debug -o /image/bin/juliet "$program" \
 && cp -r migrations config /image/share/juliet/

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends libpq5 libstdc++6 ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin juliet
COPY --from=build /image /usr/local
WORKDIR /usr/local/share/juliet
USER juliet
EXPOSE 8080
# Ready means: it serves, on a schema it knows, with its database in reach. bash opens the socket; curl is not needed.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /ready HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r -t 2 line <&3 && [[ $line == *' 200 '* ]]"]
# exec form: SIGTERM reaches the service itself, which finishes the requests it has before it exits.
STOPSIGNAL SIGTERM
ENTRYPOINT ["juliet"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]
