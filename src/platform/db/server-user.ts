import { readFile, stat } from "node:fs/promises";

/** User and group id that the server runs as. */
export type ServerUser = { readonly uid: number; readonly gid: number };

/**
 * The user to run the server as. PostgreSQL refuses to run as root, so root uses an unprivileged account: the
 * owner of the data, else `postgres`, else `nobody`. No account
 * is created. Null for an ordinary user, who runs the server directly.
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
