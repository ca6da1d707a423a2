import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Random } from "../../platform/kernel/random.ts";
import { createAtomically } from "../../platform/processes/write-atomically.ts";
import { createApprovalKey, readApprovalKey } from "../../signer/keys/approval-key.ts";
import type { Config } from "../config/config.ts";

/**
 * Reads the Ed25519 public keys whose approvals the signer accepts, 32 bytes in base64 each. Rejects with the system's error when
 * a file is missing.
 */
export function readApprovalKeyFiles({ signer }: Pick<Config, "signer">): Promise<string[]> {
  return Promise.all(
    signer.approval_key_files.map(async (file) => (await readFile(file, "utf8")).trim()),
  );
}

/**
 * Creates the api's approval key and the file with its public key for the signer, where they are missing. Resolves with the files
 * created. Rejects when only the public key exists, because a new key would silently replace the lost one.
 */
export async function createApprovalKeyFiles(
  { payouts, signer }: Pick<Config, "payouts" | "signer">,
  random: Random,
): Promise<readonly string[]> {
  if (payouts === undefined) return [];
  const { approval_key_file: file } = payouts;
  const [publicFile] = signer.approval_key_files;
  const createdFiles: string[] = [];
  if (!existsSync(file)) {
    if (publicFile !== undefined && existsSync(publicFile)) {
      throw new Error(`${file} is missing beside ${publicFile}: restore it, or remove both`);
    }
    await createApprovalKey(file, random);
    createdFiles.push(file);
  }
  if (publicFile !== undefined && !existsSync(publicFile)) {
    const { publicKey } = await readApprovalKey(file);
    await createAtomically(publicFile, `${publicKey}\n`);
    createdFiles.push(publicFile);
  }
  return createdFiles;
}
