import { readFile, stat } from "node:fs/promises";

/** The ids that a database server runs under. */
export type ServerUser = { readonly uid: number; readonly gid: number };

/**
 * Who is to run the server. PostgreSQL refuses to run as root, so root hands it to an account without privileges: the
 * one that owns the data already, or else the system's `postgres`, or else `nobody`, which every system has. No account
 * is created. Null when the current user is an ordinary one and runs it itself.
 */
export async function serverUser(dataFolder: string): Promise<ServerUser | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(dataFolder).catch(() => null);
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = await readFile("/etc/passwd", "utf8");
  const user = findAccount(accounts, "postgres") ?? findAccount(accounts, "nobody");
  if (user === null) {
    throw new Error(
      "PostgreSQL refuses to run as root, and /etc/passwd names neither postgres nor nobody: run as an ordinary user or set DATABASE_URL",
    );
  }
  return user;
}

/** passwd(5): name, password, uid, gid, ... */
function findAccount(passwd: string, name: string): ServerUser | null {
  for (const line of passwd.split("\n")) {
    const [account, , uid, gid] = line.split(":");
    if (account === name && uid !== undefined && gid !== undefined) {
      return { uid: Number(uid), gid: Number(gid) };
    }
  }
  return null;
}
