import { X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { createAtomically, writeAtomically } from "../../platform/processes/write-atomically.ts";
import { certificatePaths } from "../../signer/remote/certificate-paths.ts";
import { type ListedClient, readClients, writeClients } from "../../signer/remote/client-list.ts";
import {
  type Authority,
  createAuthority,
  issueForClient,
  issueForSigner,
} from "../../signer/remote/create-certificates.ts";
import { isRight, type Right, rights } from "../../signer/remote/rights.ts";
import { ownSigner } from "../build/own-signer.ts";
import { readConfig } from "../config/read-config.ts";
import type { CommandContext } from "./command-context.ts";
import { printTable } from "./print-table.ts";

type Context = Pick<CommandContext, "clock" | "print">;

/**
 * `sluice signer certificates create`: creates a private authority in the signer's folder, and the signer's certificate for
 * these DNS names or IP addresses. Rejects if there is an authority; `renew` keeps it and replaces the signer's certificate.
 */
export async function createCertificates(
  configFile: string,
  options: {
    readonly hosts: readonly string[];
    readonly days: number;
    readonly isRenewal: boolean;
  },
  { clock, print }: Context,
): Promise<void> {
  const paths = await pathsOf(configFile);
  const now = clock.now();
  if (!options.isRenewal) {
    if (existsSync(paths.authorityFile)) {
      throw new Error(
        `${paths.authorityFile} exists: use renew to replace the signer's certificate`,
      );
    }
    await mkdir(paths.folder, { recursive: true, mode: 0o700 });
    const created = await createAuthority(now);
    await createAtomically(paths.authorityKeyFile, created.key);
    await createAtomically(paths.authorityFile, created.certificate);
  }
  const authority = await readAuthority(paths);
  const issued = await issueForSigner(authority, options.hosts, options.days, now);
  await writeAtomically(paths.keyFile, issued.key);
  await writeAtomically(paths.certificateFile, issued.certificate);
  print(
    `${paths.certificateFile}: for ${options.hosts.join(", ")}, ${validityOf(issued.certificate)}`,
  );
  print("Restart the signer to use it.");
}

/**
 * `sluice signer certificates issue NAME`: creates a client's certificate and key in `folder`, with the authority's certificate,
 * and lists the client with these rights. A listed client's older certificate is not accepted any more.
 */
export async function issueCertificate(
  configFile: string,
  name: string,
  options: { readonly rights: readonly Right[]; readonly days: number; readonly folder: string },
  { clock, print }: Context,
): Promise<void> {
  assertName(name);
  const paths = await pathsOf(configFile);
  const authority = await readAuthority(paths);
  const now = clock.now();
  const issued = await issueForClient(authority, name, options.days, now);
  const folder = resolve(options.folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeAtomically(join(folder, `${name}.key`), issued.key);
  await writeAtomically(join(folder, `${name}.crt`), issued.certificate);
  await writeAtomically(join(folder, "signer-ca.crt"), authority.certificate);
  await putClient(paths.clientsFile, {
    name,
    rights: options.rights,
    fingerprint: issued.fingerprint,
  });
  for (const file of [`${name}.crt`, `${name}.key`, "signer-ca.crt"]) print(join(folder, file));
  print(`${name}: ${describeRights(options.rights)}, ${validityOf(issued.certificate)}`);
  print("Move the files to the client's machine. The signer admits it at once.");
}

/** `sluice signer certificates allow NAME`: lists a client whose certificates another authority issues. */
export async function allowClient(
  configFile: string,
  name: string,
  given: readonly Right[],
  { print }: Context,
): Promise<void> {
  assertName(name);
  const { clientsFile, folder } = await pathsOf(configFile);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await putClient(clientsFile, { name, rights: given, fingerprint: null });
  print(`${name}: ${describeRights(given)}, with any certificate of that common name`);
}

/** `sluice signer certificates revoke NAME`: the signer answers no further request of this client. */
export async function revokeClient(
  configFile: string,
  name: string,
  { print }: Context,
): Promise<void> {
  const { clientsFile } = await pathsOf(configFile);
  const clients = await readClients(clientsFile);
  const rest = clients.filter((client) => client.name !== name);
  if (rest.length === clients.length) throw new Error(`${clientsFile} lists no client ${name}`);
  await writeClients(clientsFile, rest);
  print(`${name}: revoked`);
}

/** `sluice signer certificates list`: the clients that may connect. */
export async function listClients(configFile: string, { print }: Context): Promise<void> {
  const { clientsFile } = await pathsOf(configFile);
  const clients = await readClients(clientsFile);
  if (clients.length === 0) {
    print("No client may connect over the network.");
    return;
  }
  printTable({ print }, [
    ["CLIENT", "RIGHTS", "CERTIFICATE (SHA-256)"],
    ...clients.map(({ name, rights: held, fingerprint }) => [
      name,
      describeRights(held),
      fingerprint ?? "any with this name",
    ]),
  ]);
}

/** The rights in a list separated by commas. Throws for others. */
export function parseRights(text: string): readonly Right[] {
  const names = text === "none" ? [] : text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !isRight(name));
  if (wrong !== undefined) throw new Error(`no right "${wrong}": use none, ${rights.join(", ")}`);
  return rights.filter((right) => names.includes(right));
}

type Paths = ReturnType<typeof certificatePaths>;

async function pathsOf(configFile: string): Promise<Paths> {
  const { signer } = await readConfig(configFile);
  return certificatePaths(ownSigner(signer).folder);
}

async function readAuthority(paths: Paths): Promise<Authority> {
  if (!existsSync(paths.authorityFile)) {
    throw new Error(`no authority in ${paths.folder}: run sluice signer certificates create first`);
  }
  const [certificate, key] = await Promise.all([
    readFile(paths.authorityFile, "utf8"),
    readFile(paths.authorityKeyFile, "utf8"),
  ]);
  return { certificate, key };
}

async function putClient(clientsFile: string, added: ListedClient): Promise<void> {
  const clients = await readClients(clientsFile);
  await writeClients(clientsFile, [...clients.filter(({ name }) => name !== added.name), added]);
}

/** The name becomes a file name and a line of the log. */
function assertName(name: string): void {
  if (!/^[a-z0-9][a-z0-9.-]{0,62}$/i.test(name)) {
    throw new Error(`"${name}" is not a name: use up to 63 letters, digits, dots and hyphens`);
  }
}

function describeRights(held: readonly Right[]): string {
  return held.length === 0 ? "no rights" : held.join(", ");
}

function validityOf(certificate: string): string {
  const expiry = instantFromSeconds(Date.parse(new X509Certificate(certificate).validTo) / 1000);
  return `valid until ${formatTimestamp(expiry).slice(0, 10)}`;
}
