import { existsSync } from "node:fs";
import { join } from "node:path";
import type { World } from "../../platform/kernel/world.ts";
import { storedSecret } from "../../platform/processes/stored-secret.ts";
import { createAtomically } from "../../platform/processes/write-atomically.ts";
import type { KeyDerivationCost } from "../../signer/keys/keystore.ts";

/** The passphrase is random and stored beside the keystore, so a costly derivation would protect nothing. */
export const sandboxKeyCost: KeyDerivationCost = { memoryKib: 8_192, passes: 1, threads: 1 };

/** Data key and passphrase of this sandbox, created at the first start. */
export async function writeKeys(home: string, { random }: Pick<World, "random">): Promise<void> {
  const dataKeyFile = join(home, "data.key");
  if (!existsSync(dataKeyFile)) {
    await createAtomically(dataKeyFile, `${Buffer.from(random.bytes(32)).toString("hex")}\n`);
  }
  await storedSecret(join(home, "passphrase"), random);
}
