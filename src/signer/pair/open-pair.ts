import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { SignerKeys } from "../keys/derive-keys.ts";
import { createEtcdWitness } from "./etcd-witness.ts";
import { openReplica } from "./open-replica.ts";
import type { PairSettings } from "./pair-settings.ts";
import { policyDigest } from "./policy-digest.ts";
import { type OpenActive, runPair, type SignerPair } from "./run-pair.ts";

/** Opens the files of a signer as a standby and runs it in its pair, with etcd as the witness. */
export async function openPair(
  settings: {
    readonly pair: PairSettings;
    readonly folder: string;
    readonly copyFolder: string | null;
    readonly approvalKeys: readonly string[];
    readonly chains: readonly unknown[];
  },
  keys: SignerKeys,
  context: {
    readonly openActive: OpenActive;
    readonly clock: Clock;
    readonly logger: Logger;
  },
): Promise<SignerPair> {
  const { pair, folder, copyFolder } = settings;
  const policy = await policyDigest(folder, settings);
  const replica = await openReplica({ folder, copyFolder, ...keys });
  try {
    const witness = createEtcdWitness(pair.witness);
    return await runPair(
      { ...pair, folder, policy },
      { ...context, witness, replica, accounts: keys.accounts },
    );
  } catch (error) {
    await replica.close();
    throw error;
  }
}
