# Juliet's image: the service, the command line, the migrations and the word lists. `docker build -t juliet .`
# The same image serves (`juliet serve`, the default), migrates (`juliet migrate up`) and imports words.
# The game in a terminal has an image of its own, for the service needs no HTTP client:
#   docker build --target play -t juliet-play .
#   docker run -it --rm --network host --volume juliet-play:/home/juliet/.local/state juliet-play
# The volume keeps who plays, and what the service has not been told yet.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends libcurl4-openssl-dev libpq-dev pkg-config zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
# The dependencies in a layer of their own: a change of our sources does not fetch them again. Package.resolved, where there is one,
# says which: scripts/versions --restore.
COPY Package.swift Package.resolved* ./
RUN swift package resolve
COPY . .
# Swift's libraries go into the programs, so the next stages need no toolchain; libpq stays the system's, which Debian
# keeps secure. The game in a terminal is an image of its own, since only it needs libcurl.
RUN packaging/install /image \
 && mkdir -p /play/bin /play/share/juliet/config/words \
 && mv /image/bin/juliet-play /play/bin/ \
 && cp config/words/english-guessable.txt config/words/LICENSE-SCOWL /play/share/juliet/config/words/

FROM debian:bookworm-slim AS play
RUN apt-get update \
 && apt-get install -y --no-install-recommends libcurl4 libstdc++6 ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --create-home --shell /usr/sbin/nologin juliet \
 && install -d -o 10001 -g 10001 /home/juliet/.local /home/juliet/.local/state
COPY --from=build /play /usr/local
USER juliet
VOLUME /home/juliet/.local/state
ENTRYPOINT ["juliet-play"]

FROM debian:bookworm-slim
# /archive is for `juliet energy archive --to` under docker-compose.yml, as 10002: a volume there begins as this folder is.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libpq5 libstdc++6 zlib1g ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin juliet \
 && install -d -m 0700 -o 10002 -g 10002 /archive
COPY --from=build /image /usr/local
WORKDIR /usr/local/share/juliet
USER juliet
EXPOSE 8080
# Ready means: it serves, on a schema it knows, with its database in reach.
HEALTHCHECK --interval=10s --timeout=3s --start-period=40s --retries=3 \
    CMD ["/usr/local/share/juliet/ready", "8080"]
# exec form: SIGTERM reaches the service itself, which finishes the requests it has before it exits.
STOPSIGNAL SIGTERM
ENTRYPOINT ["juliet"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]
