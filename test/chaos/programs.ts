import { readFile } from "node:fs/promises";
import type { Config } from "../../src/main/config/config.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import { configureProcess, type Network } from "./network.ts";
import { pairedSigners } from "./paired-signers.ts";
import type { Part } from "./part.ts";
import { type ProgramSite, programPart } from "./program-part.ts";
import type { Shape } from "./shape.ts";
import { type Signers, type SignersSite, singleSigner } from "./signers.ts";

/** The processes of the service. */
export type Programs = {
  /** In the order in which they start. */
  readonly parts: readonly Part[];
  /** Where clients reach the api processes. */
  readonly baseUrls: readonly string[];
  readonly signers: Signers;
};

/** URLs of servers by name. */
export type Servers = Readonly<Record<string, string>>;

/** Creates them for a shape, each with a configuration of its own beside the one of all; only a witness runs already. */
export async function createPrograms(site: {
  readonly shape: Shape;
  readonly network: Network;
  readonly programSite: ProgramSite;
  readonly disks: SignersSite["disks"];
  readonly start: SignersSite["start"];
  /** Of all processes. */
  readonly servers: Servers;
  /** Of workers besides. */
  readonly workersServers: Servers;
}): Promise<Programs> {
  const { shape, network, programSite, servers } = site;
  const shared = JSON.parse(await readFile(programSite.configFile, "utf8")) as Config;
  const workers = namesOf("worker", shape.workers);
  const signersSite = { ...site, settings: shared.signer };
  const signers =
    shape.etcd === null
      ? singleSigner(signersSite)
      : await pairedSigners({ ...signersSite, etcd: shape.etcd, workers });
  const siteOf = async (name: string, its: Servers, own: Partial<Config>): Promise<ProgramSite> => {
    const { configFile } = programSite;
    const process = { name, servers: its, own };
    return { ...programSite, configFile: await configureProcess(network, configFile, process) };
  };
  const worker = async (name: string): Promise<Part> => {
    const its = { ...servers, ...site.workersServers };
    const own = await siteOf(name, its, { signer: await signers.accessOf(name) });
    return programPart(own, "worker", name, "worker is running");
  };
  const api = async (name: string, port: number): Promise<Part> => {
    const own = await siteOf(name, servers, { listen: { ...shared.listen, port } });
    return programPart(own, "api", name, "api is listening");
  };
  const parts = [...signers.parts];
  for (const name of workers) parts.push(await worker(name));
  const baseUrls: string[] = [];
  for (const [index, name] of namesOf("api", shape.apis).entries()) {
    const url = new URL(shared.base_url);
    if (index > 0) url.port = String(await quietPort());
    parts.push(await api(name, Number(url.port)));
    baseUrls.push(await network.lay("client", name, url.origin));
  }
  return { parts, baseUrls, signers };
}

/** `worker-1`, `worker-2`; a single api is just `api`. */
function namesOf(kind: "api" | "worker", count: number): readonly string[] {
  if (kind === "api" && count === 1) return [kind];
  return Array.from({ length: count }, (_, index) => `${kind}-${index + 1}`);
}
