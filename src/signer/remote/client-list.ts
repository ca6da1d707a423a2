import { readFile, stat } from "node:fs/promises";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import { isRight, type Right } from "./rights.ts";

/** A client that may connect over the network. */
export type ListedClient = {
  /** The common name of its certificate. */
  readonly name: string;
  readonly rights: readonly Right[];
  /** SHA-256 of its only certificate, `AB:CD:...`; null: any certificate of the authority with this name. */
  readonly fingerprint: string | null;
};

/** The certificate that a client presented. The authority's signature was verified before. */
export type PresentedCertificate = { readonly name: string; readonly fingerprint: string };

/** Who may connect, as the file says now. */
export type ClientList = {
  /**
   * The client's rights; null if it is not listed, or with another certificate. Reads the file again when it has changed. Rejects
   * if the file cannot be read: then no one has rights.
   */
  readonly rightsOf: (certificate: PresentedCertificate) => Promise<readonly Right[] | null>;
};

/** A list without its file is empty: a signer that listens before the first client was added. */
export function openClientList(path: string): ClientList {
  let known: { readonly version: string; readonly clients: readonly ListedClient[] } | null = null;
  return {
    rightsOf: async ({ name, fingerprint }) => {
      const version = await versionOf(path);
      if (known?.version !== version) known = { version, clients: await readClients(path) };
      const listed = known.clients.find(
        (client) =>
          client.name === name &&
          (client.fingerprint === null || client.fingerprint === fingerprint),
      );
      return listed?.rights ?? null;
    },
  };
}

/** The clients in the file, none if it does not exist. Rejects with the fault of another content. */
export async function readClients(path: string): Promise<readonly ListedClient[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return [];
  const value = JSON.parse(text) as unknown;
  if (!Array.isArray(value) || !value.every(isListedClient)) {
    throw new Error(`${path} is not a list of clients with name, rights and fingerprint`);
  }
  return value;
}

/** Replaces the list; a running signer applies it to the next request of every connection. */
export async function writeClients(path: string, clients: readonly ListedClient[]): Promise<void> {
  await writeAtomically(path, `${JSON.stringify(clients, null, 2)}\n`);
}

/** Changes with every replacement of the file: a new file has another inode number. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true });
    return `${ino} ${mtimeNs} ${size}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return "absent";
  }
}

function isListedClient(value: unknown): value is ListedClient {
  if (typeof value !== "object" || value === null) return false;
  const { name, rights, fingerprint } = value as Record<string, unknown>;
  return (
    typeof name === "string" &&
    Array.isArray(rights) &&
    rights.every(isRight) &&
    (fingerprint === null || typeof fingerprint === "string")
  );
}
