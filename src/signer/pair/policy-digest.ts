import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Tells whether two signers decide alike: SHA-256 of the limits file, of the approval keys and of the chains, in hexadecimal. The
 * limits are read when a signer starts, so a change takes effect with the restart that changes this digest.
 */
export async function policyDigest(
  folder: string,
  paying: { readonly approvalKeys: readonly string[]; readonly chains: readonly unknown[] },
): Promise<string> {
  const limits = await readFile(join(folder, "limits.json"), "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  });
  const { approvalKeys, chains } = paying;
  return hash("sha256", JSON.stringify([limits, [...approvalKeys].sort(), chains]), "hex");
}
