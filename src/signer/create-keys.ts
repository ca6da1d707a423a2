import type { IssueJournal } from "./journal/issue-journal.ts";
import { createdAccountPath, type KeyNetwork, type KeyTree } from "./keys/account-paths.ts";
import type { SealedKeys } from "./keys/key-ring.ts";
import {
  type CreatedKey,
  type CreateOutcome,
  createdKeyMessage,
  type IssuedRange,
} from "./protocol.ts";

export type KeyCreation = {
  readonly network: KeyNetwork;
  readonly keyTrees: readonly KeyTree[];
  readonly keys: SealedKeys;
  readonly issued: IssueJournal;
};

/**
 * Creates the Ed25519 keys of a range of deposit addresses, each with a proof that it can sign. The range is on the disk first, so
 * no index is created twice, whatever happens to the answer. Rejects with `RangeError` for kinds of addresses that are derived
 * from public keys, and for ranges that the journal does not allow.
 */
export async function createKeys(
  { network, keyTrees, keys, issued }: KeyCreation,
  range: IssuedRange,
): Promise<CreateOutcome> {
  const { keyspace, addressType, first, last } = range;
  const path = createdAccountPath(network, keyTrees, range);
  if (path === null)
    throw new RangeError(`addresses of ${keyspace}/${addressType} are not created here`);
  const outcome = await issued.record({ keyspace, addressType, first, last });
  if (outcome.kind === "refused") return outcome;
  const created = keys.lend((ring) => {
    const list: CreatedKey[] = [];
    for (let index = first; index <= last; index += 1) {
      const key = ring.ed25519At(`${path}/${index}'`);
      const publicKey = Buffer.from(key.publicKey).toString("hex");
      const proof = key.sign(createdKeyMessage(range, { index, publicKey }));
      list.push({ index, publicKey, proof: Buffer.from(proof).toString("hex") });
      key.wipe();
    }
    return list;
  });
  return { kind: "created", keys: created };
}
