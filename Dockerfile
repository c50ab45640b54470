# docker build -t roost .
# docker run -p 8080:8080 -v roost:/var/lib/roost roost
#
# Settings: -e ROOST_<SECTION>_<KEY>=…, or a file mounted as /etc/roost/roost.toml, which must set server.listen like the
# image's own file. Commands: docker exec CONTAINER roost token list
FROM debian:12-slim AS build
WORKDIR /src
COPY script/bootstrap script/bootstrap
COPY script/lib/common.sh script/lib/common.sh
RUN script/bootstrap --package
COPY . .
RUN script/package /package

FROM debian:12-slim
RUN --mount=from=build,source=/package,target=/package \
    apt-get update \
    && apt-get install --yes --no-install-recommends /package/*.deb \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/roost --create-home roost \
    && printf '\n# A container is only reachable by its own address.\n[server]\nlisten = "0.0.0.0:8080"\n' >> /etc/roost/roost.toml
USER roost
WORKDIR /var/lib/roost
VOLUME /var/lib/roost
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s CMD ["roost", "top", "--once"]
ENTRYPOINT ["roost"]
CMD ["serve"]
