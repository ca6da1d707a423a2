import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../../src/main/config/config.ts";
import type { Teardown } from "../../src/main/processes/teardown.ts";
import { prepareSocketFolder } from "../../src/signer/socket-path.ts";
import type { Edge } from "./disturb.ts";
import { type Relay, startRelay } from "./relay.ts";

/** Ways between the processes of a deployment, with a relay in each that can be disturbed, or with none. */
export type Network = {
  readonly hasRelays: boolean;
  /** The ways with a relay. */
  readonly edges: readonly Edge[];
  /** Resolves with the URL at which `from` reaches a server. */
  readonly lay: (from: string, to: string, url: string) => Promise<string>;
  /** The same for a port of this machine. */
  readonly layPort: (from: string, to: string, port: number) => Promise<number>;
  /** Puts a relay at the path `near` in front of the Unix socket `far`. */
  readonly laySocket: (from: string, to: string, near: string, far: string) => Promise<void>;
};

/** `teardown` stops the relays. */
export function createNetwork(hasRelays: boolean, teardown: Teardown): Network {
  const edges: Edge[] = [];
  const start = async (
    from: string,
    to: string,
    ...ends: Parameters<typeof startRelay>
  ): Promise<Relay> => {
    const relay = await startRelay(...ends);
    teardown.add(`${from} to ${to}`, relay.close);
    edges.push({ from, to, disturb: relay.disturb });
    return relay;
  };
  const layPort: Network["layPort"] = async (from, to, port) => {
    if (!hasRelays) return port;
    const { at } = await start(from, to, { port: 0 }, { port });
    return "port" in at ? at.port : port;
  };
  return {
    hasRelays,
    edges,
    layPort,
    lay: async (from, to, url) => {
      const { host, port } = new URL(url);
      return url.replace(host, `127.0.0.1:${await layPort(from, to, Number(port))}`);
    },
    laySocket: async (from, to, near, far) => {
      await prepareSocketFolder(dirname(near));
      await start(from, to, { path: near }, { path: far });
    },
  };
}

/** A process with a configuration of its own. */
export type Configured = {
  readonly name: string;
  /** URLs of the servers that it reaches, by name. */
  readonly servers: Readonly<Record<string, string>>;
  /** Members that differ from the configuration of all. */
  readonly own: Partial<Config>;
};

/** Writes the process's configuration, which lays its ways to its servers, beside the one of all; resolves with its path. */
export async function configureProcess(
  network: Network,
  configFile: string,
  { name, servers, own }: Configured,
): Promise<string> {
  let text = await readFile(configFile, "utf8");
  for (const [server, url] of Object.entries(servers)) {
    const host = new RegExp(`${new URL(url).host.replaceAll(".", "\\.")}(?!\\d)`, "g");
    text = text.replaceAll(host, new URL(await network.lay(name, server, url)).host);
  }
  const path = join(dirname(configFile), `${name}.json`);
  const config = { ...(JSON.parse(text) as Config), ...own };
  await writeFile(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}
