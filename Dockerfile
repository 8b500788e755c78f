# Juliet's image: the service, the command line, the migrations and the word lists. `docker build -t juliet .`
# The same image serves (`juliet serve`, the default), migrates (`juliet migrate up`) and imports words.
# The game in a terminal has an image of its own, because the service needs no HTTP client:
#   docker build --target play -t juliet-play .
#   docker run -it --rm --network host --volume juliet-play:/home/juliet/.local/state juliet-play
# The volume keeps who plays, and what the service has not been told yet.

FROM swift:6.3-bookworm AS toolchain
RUN apt-get update \
 && apt-get install -y --no-install-recommends libcurl4-openssl-dev libpq-dev pkg-config zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source

# Juliet's sources, emptied. If only the contents of its files change, this stage makes the same as before, and the next layer is
# taken from the cache.
FROM toolchain AS outline
COPY . .
RUN packaging/outline .

# What Juliet depends on, then Juliet, with the versions of docs/releases. With `--build-arg VERSIONS=newest` with the newest ones.
FROM toolchain AS build
ARG VERSIONS=locked
COPY --from=outline /source ./
RUN scripts/build "--${VERSIONS:-locked}"
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
LABEL org.opencontainers.image.title="Juliet in a terminal" \
      org.opencontainers.image.description="A word game, played in a terminal" \
      org.opencontainers.image.source="https://example.org/juliet" \
      org.opencontainers.image.licenses="Apache-2.0"
USER 10001:10001
ENV HOME=/home/juliet
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
LABEL org.opencontainers.image.title="Juliet" \
      org.opencontainers.image.description="A word game and its backend: the service, its commands and its word lists" \
      org.opencontainers.image.source="https://example.org/juliet" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /usr/local/share/juliet
# By number, so that Kubernetes can see that it is not root.
USER 10001:10001
EXPOSE 8080
# Live means that the process answers. If its database goes away, another container would not have it either. While the service
# starts, it answers nothing here. docker-compose.yml asks whether the service is ready.
HEALTHCHECK --interval=10s --timeout=3s --start-period=40s --retries=3 \
    CMD ["/usr/local/share/juliet/ready", "--live", "8080"]
# exec form: SIGTERM reaches the service itself, which finishes the requests it has before it exits.
STOPSIGNAL SIGTERM
ENTRYPOINT ["juliet"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]
