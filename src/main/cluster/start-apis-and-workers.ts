import { type Config, configSchema } from "../config/config.ts";
import { type ClusterPart, type ClusterSite, loopback } from "./cluster-site.ts";
import { remoteOf, type SignerAccess, type SignerPort } from "./start-signers.ts";
import { startSluice } from "./start-sluice.ts";

export type NamedPort = { readonly name: string; readonly port: number };

/** Names and ports for a number of processes of one kind. */
export async function namePorts(
  { takePort }: Pick<ClusterSite, "takePort">,
  kind: "api" | "worker",
  count: number,
): Promise<readonly NamedPort[]> {
  const named: NamedPort[] = [];
  for (let number = 1; number <= count; number += 1)
    named.push({ name: `${kind}-${number}`, port: await takePort() });
  return named;
}

export type ServiceSite = {
  readonly config: Config;
  readonly databasePort: number;
  readonly replicaPort: number;
  readonly apis: readonly NamedPort[];
  readonly workers: readonly NamedPort[];
  readonly signers: readonly SignerPort[];
  readonly accessOf: SignerAccess;
};

/** The api processes and the workers, each with links of its own to what it connects to. */
export async function startApisAndWorkers(
  site: ClusterSite,
  { config, databasePort, replicaPort, apis, workers, signers, accessOf }: ServiceSite,
): Promise<ClusterPart> {
  const { links } = site;
  const urlThroughLink = async (name: string, port: number): Promise<string> => {
    const url = new URL(config.database.url);
    url.port = String(await links.open(name, "balancer", port));
    return url.href;
  };
  const throughLink = async (name: string): Promise<Config["database"]> => ({
    ...config.database,
    url: await urlThroughLink(name, databasePort),
  });
  const withReplica = async (name: string): Promise<unknown> => ({
    ...(await throughLink(name)),
    replica: { url: await urlThroughLink(name, replicaPort) },
  });
  const startedApis = apis.map(async ({ name, port }) => {
    const own = {
      ...config,
      database: await withReplica(name),
      listen: { host: "127.0.0.1", port },
    };
    return startSluice(site, configSchema.parse(own), "api", name);
  });
  const startedWorkers = workers.map(async ({ name, port }) => {
    const ports = await Promise.all(
      signers.map((signer) => links.open(name, signer.name, signer.port)),
    );
    const own = {
      ...config,
      database: await throughLink(name),
      signer: { ...config.signer, remote: remoteOf(accessOf, name, ports) },
      chains: await nodesThroughLinks(config.chains, name, links),
      worker: { ...config.worker, port },
    };
    return startSluice(site, configSchema.parse(own), "worker", name);
  });
  const started = await Promise.all([...startedApis, ...startedWorkers]);
  return {
    failed: Promise.race(started.map(({ failed }) => failed)),
    observe: () =>
      Promise.resolve(
        [...apis, ...workers].map(({ name, port }, index) => ({
          name,
          role: apis.some((api) => api.name === name) ? ("api" as const) : ("worker" as const),
          pid: started[index]?.pid() ?? null,
          address: loopback(port),
        })),
      ),
  };
}

async function nodesThroughLinks(
  chains: Config["chains"],
  worker: string,
  links: ClusterSite["links"],
): Promise<Config["chains"]> {
  const linked = Object.entries(chains).map(async ([chain, settings]) => {
    const nodes = settings.nodes.map(async (node) => {
      const url = new URL(node.url);
      url.port = String(await links.open(worker, nodeName(chain), Number(url.port)));
      return { ...node, url: url.href };
    });
    return [chain, { ...settings, nodes: await Promise.all(nodes) }] as const;
  });
  return Object.fromEntries(await Promise.all(linked));
}

/** The name of a chain's node among the processes. */
export function nodeName(chain: string): string {
  return `node-${chain}`;
}
