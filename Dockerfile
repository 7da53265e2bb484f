# The service. With NATS_URL, it keeps its log there; otherwise, its own nats-server keeps the log in the volume /data:
#   docker run -d -p 25:2525 -p 8080:8080 -v deliverability:/data -e MAIL_DOMAIN=test.example.com IMAGE
# Reports are free in that case. To sell them, add -e PAYMENTS=on and the settings X402_…
FROM node:24.21.0-slim AS node
FROM nats:2.15-alpine AS nats

FROM node AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package that runs in production has an install script. The optional packages are a compiler and one
# that lowers the priority of threads.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node AS service
# For a log on a single node, to try out the service. It is statically linked.
COPY --from=nats /usr/local/bin/nats-server /usr/local/bin/nats-server
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY machines machines
COPY src src
RUN install -d -o node -g node -m 0700 /data

# Limits the memory for short-lived objects, of which Node.js would use 64 MiB or more in each thread.
ENV NODE_ENV=production PAYMENTS=off DATA_DIR=/data HTTP_HOST=0.0.0.0 SMTP_HOST=0.0.0.0 \
    NODE_OPTIONS=--max-semi-space-size=16
USER node
VOLUME /data
EXPOSE 8080 2525 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "\
  fetch(`http://127.0.0.1:${process.env.HTTP_PORT || 8080}/healthz`)\
  .then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No core dumps, which would contain emails and keys. `exec` is used so that signals reach the service.
CMD ["sh", "-c", "ulimit -c 0 && exec node src/main.ts"]
