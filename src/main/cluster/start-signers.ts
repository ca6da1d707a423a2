import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert } from "../../platform/kernel/assert.ts";
import { storedSecret } from "../../platform/processes/stored-secret.ts";
import { createKeystore } from "../../signer/keys/keystore.ts";
import { createEtcdWitness } from "../../signer/pair/etcd-witness.ts";
import { certificatePaths } from "../../signer/remote/certificate-paths.ts";
import { writeClients } from "../../signer/remote/client-list.ts";
import {
  createAuthority,
  issueForClient,
  issueForSigner,
} from "../../signer/remote/create-certificates.ts";
import type { Right } from "../../signer/remote/rights.ts";
import type { Config } from "../config/config.ts";
import { sandboxKeyCost } from "../processes/sandbox-keys.ts";
import { type ClusterPart, type ClusterSite, loopback } from "./cluster-site.ts";
import type { EtcdMember } from "./start-etcd.ts";
import { startSluice } from "./start-sluice.ts";

export type SignerPort = { readonly name: string; readonly port: number };

const validDays = 3650;
const takeoverSeconds = 4;

/** How a client of the signers is configured: its certificate, and where it reaches both. */
export type SignerAccess = (
  client: string,
  port: number,
) => Omit<NonNullable<Config["signer"]["remote"]>, "second">;

/**
 * Two signers with one keystore, of which the first is active at first. `workers`: who may have addresses issued and transactions
 * signed.
 */
export async function startSigners(
  site: ClusterSite,
  config: Config,
  etcd: readonly EtcdMember[],
  workers: readonly string[],
): Promise<
  ClusterPart & { readonly signers: readonly SignerPort[]; readonly accessOf: SignerAccess }
> {
  const { folder, links, takePort, random } = site;
  const signers = [
    { name: "signer-1", port: await takePort() },
    { name: "signer-2", port: await takePort() },
  ] as const;
  const [first, second] = signers;
  const folderOf = (name: string): string => join(folder, name);
  await mkdir(folderOf(first.name), { mode: 0o700 });
  const passphrase = await storedSecret(config.signer.passphrase_file, random);
  await createKeystore({
    path: join(folderOf(first.name), "keystore.json"),
    passphrase: Buffer.from(passphrase),
    random,
    cost: sandboxKeyCost,
  });
  const accessOf = await createCertificates(site, folderOf(first.name), {
    signers: signers.map(({ name }) => name),
    workers,
  });
  await cp(folderOf(first.name), folderOf(second.name), { recursive: true });
  const record = {
    endpoints: etcd.map(({ port }) => `http://${loopback(port)}`),
    key: "sluice/signer",
  };
  const witness = createEtcdWitness(record);
  await witness.replace(
    { epoch: 1, active: first.name, inSync: [first.name], folderToken: null },
    null,
  );
  const started = await Promise.all(
    signers.map(async ({ name, port }, index) => {
      const peer = index === 0 ? second : first;
      const reached = accessOf(name, await links.open(name, peer.name, peer.port));
      const endpoints = await Promise.all(
        etcd.map(
          async (member) => `http://${loopback(await links.open(name, member.name, member.port))}`,
        ),
      );
      const signer: Config["signer"] = {
        ...config.signer,
        folder: folderOf(name),
        listen: { host: "127.0.0.1", port },
        pair: {
          name,
          takeover_seconds: takeoverSeconds,
          peer: { name: peer.name, ...reached },
          witness: { endpoints, record_key: record.key },
        },
      };
      return startSluice(site, { ...config, signer }, "signer", name);
    }),
  );
  return {
    signers,
    accessOf,
    failed: Promise.race(started.map(({ failed }) => failed)),
    observe: async () => {
      const active = (await witness.read().catch(() => null))?.record.active ?? null;
      return signers.map(({ name, port }, index) => ({
        name,
        role: name === active ? ("signer-active" as const) : ("signer-standby" as const),
        pid: started[index]?.pid() ?? null,
        address: loopback(port),
      }));
    },
  };
}

/** Certificates of both signers and their clients: those of the signers in `signerFolder`, the clients' in `certificates`. */
export async function createCertificates(
  { clock, folder }: Pick<ClusterSite, "clock" | "folder">,
  signerFolder: string,
  names: { readonly signers: readonly string[]; readonly workers: readonly string[] },
): Promise<SignerAccess> {
  const now = clock.now();
  const paths = certificatePaths(signerFolder);
  const at = (file: string): string => join(folder, "certificates", file);
  const write = (path: string, text: string): Promise<void> =>
    writeFile(path, text, { mode: 0o600 });
  await mkdir(paths.folder, { mode: 0o700 });
  await mkdir(at(""), { mode: 0o700 });
  const authority = await createAuthority(now);
  await write(paths.authorityFile, authority.certificate);
  await write(at("signer-ca.crt"), authority.certificate);
  const own = await issueForSigner(authority, ["127.0.0.1"], validDays, now);
  await write(paths.certificateFile, own.certificate);
  await write(paths.keyFile, own.key);
  const clients: { readonly name: string; readonly rights: readonly Right[] }[] = [
    ...names.signers.map((name) => ({ name, rights: ["replicate" as const] })),
    ...names.workers.map((name) => ({ name, rights: ["addresses" as const, "sign" as const] })),
  ];
  const listed = await Promise.all(
    clients.map(async (client) => {
      const issued = await issueForClient(authority, client.name, validDays, now);
      await write(at(`${client.name}.crt`), issued.certificate);
      await write(at(`${client.name}.key`), issued.key);
      return { ...client, fingerprint: issued.fingerprint };
    }),
  );
  await writeClients(paths.clientsFile, listed);
  return (client, port) => ({
    host: "127.0.0.1",
    port,
    certificate_file: at(`${client}.crt`),
    key_file: at(`${client}.key`),
    authority_file: at("signer-ca.crt"),
  });
}

/** How a client reaches both signers. */
export function remoteOf(
  accessOf: SignerAccess,
  client: string,
  [first, second]: readonly number[],
): NonNullable<Config["signer"]["remote"]> {
  assert(first !== undefined && second !== undefined, "two signers");
  return { ...accessOf(client, first), second: { host: "127.0.0.1", port: second } };
}
