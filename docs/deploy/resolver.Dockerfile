FROM debian:trixie-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends unbound dns-root-data \
  && rm -rf /var/lib/apt/lists/*
COPY docs/deploy/unbound.conf /etc/unbound/service.conf
USER unbound
CMD ["unbound", "-d", "-c", "/etc/unbound/service.conf"]
