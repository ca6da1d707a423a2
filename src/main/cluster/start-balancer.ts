import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClusterPart, type ClusterSite, loopback } from "./cluster-site.ts";
import type { PostgresServer } from "./start-postgres.ts";

export type BalancerSite = {
  /** Where clients reach the API. */
  readonly host: string;
  readonly port: number;
  /** Where api and workers reach the primary. */
  readonly databasePort: number;
  /** Where api processes reach a standby. */
  readonly replicaPort: number;
  readonly apis: readonly { readonly name: string; readonly port: number }[];
  readonly servers: readonly PostgresServer[];
};

const name = "balancer";
const answerFile = "unavailable.http";

/** HAProxy in front of the api processes, of the primary and of the standbys, which it recognizes by Patroni's answers. */
export async function startBalancer(
  site: ClusterSite,
  balanced: BalancerSite,
): Promise<ClusterPart> {
  const { folder, programs, keeper, links } = site;
  const config = join(folder, "haproxy.cfg");
  const apis = await Promise.all(
    balanced.apis.map(async (api) => ({
      ...api,
      port: await links.open(name, api.name, api.port),
    })),
  );
  const servers = await Promise.all(
    balanced.servers.map(async (server) => ({
      ...server,
      port: await links.open(name, server.name, server.port),
      restPort: await links.open(name, server.patroni, server.restPort),
    })),
  );
  await writeFile(join(folder, answerFile), unavailable());
  await writeFile(config, balancerConfig({ ...balanced, apis, servers }, folder));
  const started = await keeper.start({
    name,
    program: programs.haproxy,
    args: ["-db", "-f", config],
  });
  const address = loopback(balanced.port);
  return {
    failed: started.failed,
    observe: () => Promise.resolve([{ name, role: "balancer", pid: started.pid(), address }]),
  };
}

function balancerConfig(balanced: BalancerSite, folder: string): string {
  return [general(join(folder, answerFile)), clients(balanced), databases(balanced)].join("\n");
}

function general(answer: string): string {
  return `global
  maxconn 4000

defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
  # A server that fails a check gets no further connections, and what it has not answered by then is given up.
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
  # Whether a request that was under way has taken effect is unknown, as with any 503 of the API.
  errorfile 500 ${answer}
  errorfile 502 ${answer}
  errorfile 503 ${answer}
  errorfile 504 ${answer}
`;
}

function clients({ host, port, apis }: BalancerSite): string {
  // A path in the folder could be longer than the system accepts.
  const once = `abns@sluice-balancer-${port}`;
  return `frontend http
  mode http
  bind ${host}:${port}
  option forwardfor
  default_backend once

# From the second request of a connection on, HAProxy closes it without an answer when the server fails, and expects the client to try
# again, as browsers do. So each request passes through a connection of its own, on which it is the first one.
backend once
  mode http
  option http-server-close
  http-reuse never
  server once ${once}

frontend api
  mode http
  bind ${once}
  default_backend api

backend api
  mode http
  balance roundrobin
  option httpchk GET /readyz
  # Longer than any request takes; live payment pages send a line every 15 seconds.
  timeout server 60s
  # Repeats only what no api process has received.
  retry-on conn-failure
  option redispatch 1
${apis.map((api) => `  server ${api.name} ${loopback(api.port)} check`).join("\n")}
`;
}

function databases({ databasePort, replicaPort, servers }: BalancerSite): string {
  const checked = servers.map(
    (server) => `  server ${server.name} ${loopback(server.port)} check port ${server.restPort}`,
  );
  return `frontend postgres
  mode tcp
  bind 127.0.0.1:${databasePort}
  default_backend primary

# HAProxy would leave a connection hanging that it is about to open again when the server is marked down.
backend primary
  mode tcp
  retries 0
  option httpchk OPTIONS /primary
  http-check expect status 200
${checked.join("\n")}

frontend replica
  mode tcp
  bind 127.0.0.1:${replicaPort}
  default_backend standbys

backend standbys
  mode tcp
  retries 0
  option httpchk OPTIONS /replica
  http-check expect status 200
${checked.join("\n")}
`;
}

/** What clients get while no api process can answer, in the API's own form. */
function unavailable(): string {
  const error = {
    status: "503",
    code: "service_unavailable",
    title: "Service unavailable, retry later",
    detail: "No process of the API answers. Try again later.",
  };
  const body = JSON.stringify({ errors: [error] });
  return [
    "HTTP/1.1 503 Service Unavailable",
    "content-type: application/vnd.api+json",
    "cache-control: no-store",
    "retry-after: 2",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    "",
    body,
  ].join("\r\n");
}
