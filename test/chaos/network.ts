import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Teardown } from "../../src/main/processes/teardown.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { prepareSocketFolder, signerSocketPath } from "../../src/signer/socket-path.ts";
import { type Disturbance, type Relay, startRelay } from "./relay.ts";
import type { Choices } from "./seeded-choices.ts";

/** The connections from one process to another, which can be disturbed. */
export type Edge = { readonly name: string } & Pick<Relay, "disturb">;

export type Network = {
  readonly edges: readonly Edge[];
  /** Puts a relay in front of a server; resolves with the URL that leads through it. */
  readonly lay: (from: string, to: string, url: string) => Promise<string>;
  /** Writes a configuration in which a process reaches these servers, and the signer, through relays of its own; resolves with its path. */
  readonly configure: (reader: Reader) => Promise<string>;
};

export type Reader = {
  readonly name: string;
  readonly configFile: string;
  /** URLs of servers by name. */
  readonly servers: Readonly<Record<string, string>>;
  /** Whether it asks the signer. */
  readonly asksSigner: boolean;
};

/** The relays of a deployment, with their files in `folder`; stopped by `teardown`. */
export function createNetwork(folder: string, teardown: Teardown): Network {
  const edges: Edge[] = [];
  const start = async (
    from: string,
    to: string,
    ...ends: Parameters<typeof startRelay>
  ): Promise<Relay> => {
    const relay = await startRelay(...ends);
    const name = `${from} to ${to}`;
    teardown.add(name, relay.close);
    edges.push({ name, disturb: relay.disturb });
    return relay;
  };
  const lay = async (from: string, to: string, url: string): Promise<string> => {
    const { host, port } = new URL(url);
    const { at } = await start(from, to, { port: 0 }, { port: Number(port) });
    return url.replace(host, "port" in at ? `127.0.0.1:${at.port}` : host);
  };
  return {
    edges,
    lay,
    configure: async ({ name, configFile, servers, asksSigner }) => {
      let text = await readFile(configFile, "utf8");
      for (const [server, url] of Object.entries(servers)) {
        const host = new RegExp(`${new URL(url).host.replaceAll(".", "\\.")}(?!\\d)`, "g");
        text = text.replaceAll(host, new URL(await lay(name, server, url)).host);
      }
      const config = JSON.parse(text) as { readonly signer: { readonly folder: string } };
      const own = join(folder, `${name}.json`);
      const signer = asksSigner
        ? { ...config.signer, folder: join(folder, `${name}-signer`) }
        : config.signer;
      if (asksSigner) {
        await prepareSocketFolder(signer.folder);
        const [near, far] = [signer, config.signer].map((each) => ({
          path: signerSocketPath(each.folder),
        }));
        await start(name, "signer", near!, far!);
      }
      await writeFile(own, JSON.stringify({ ...config, signer }), { mode: 0o600 });
      return own;
    },
  };
}

const delayMs = [50, 2_000] as const;

/** One of the three disturbances. */
export function chooseDisturbance(choices: Choices): Disturbance {
  const kind = choices.pick(["cut", "silent", "slow"] as const);
  return kind === "slow" ? { kind, delayMs: choices.integer(...delayMs) } : { kind };
}

/** Disturbs the connections of an edge for a while. */
export async function disturbFor(edge: Edge, disturbance: Disturbance, ms: number): Promise<void> {
  const end = edge.disturb(disturbance);
  await systemClock.sleep(ms);
  end();
}
