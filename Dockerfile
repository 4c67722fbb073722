FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
RUN npm ci --no-fund --no-audit
COPY . .
RUN npm run build

FROM node:22-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
RUN npm ci --omit=dev --no-fund --no-audit

FROM node:22-slim
# tini reaps what a killed parent left; ffmpeg and the browser make streams, ss sees a destination that takes no more
RUN apt-get update && apt-get install -y --no-install-recommends \
  tini ca-certificates ffmpeg chromium-headless-shell fonts-dejavu-core iproute2 \
  && rm -rf /var/lib/apt/lists/* && mkdir /data && chown node:node /data
WORKDIR /app
ENV NODE_ENV=production PORT=8080 DATA_DIR=/data
COPY package.json LICENSE ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 8080 1935 8890/udp
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/run/server.js"]
