/**
 * Which of two signers with one keystore may sign. The witness holds one record; it is replaced only by a signer that saw its
 * newest revision.
 */
export type PairRecord = {
  /** Grows whenever a signer becomes active in place of the other. */
  readonly epoch: number;
  /** The name of the signer that signs. */
  readonly active: string;
  /** The signers that have every signature that ever left a signer in their journals. Only these may become active. */
  readonly inSync: readonly string[];
  /**
   * A token in the folder of every signer that is in sync, and in no backup. Only a signer with it may become active. Null until an
   * active signer has drawn one: then any folder will do.
   */
  readonly folderToken: string | null;
};

export type Witnessed = { readonly record: PairRecord; readonly revision: string };

/** The third party that both signers ask: linearizable storage, such as etcd. */
export type Witness = {
  /** Null before the record is created. Rejects with `Unavailable` if it does not answer. */
  readonly read: () => Promise<Witnessed | null>;
  /**
   * Replaces the record if it still has that revision; null: if there is none. Resolves with the new revision, or with null if
   * another record was written. Rejects with `Unavailable` if it does not answer; whether the record was replaced is then
   * unknown.
   */
  readonly replace: (record: PairRecord, revision: string | null) => Promise<string | null>;
};

/** The text of a record, the same for equal ones. */
export function formatPairRecord({ epoch, active, inSync, folderToken }: PairRecord): string {
  return JSON.stringify({ epoch, active, inSync, folderToken });
}

/** Throws unless the text is a record. */
export function parsePairRecord(text: string): PairRecord {
  const value = JSON.parse(text) as Partial<PairRecord> | null;
  // A signer of an earlier version writes none.
  const { epoch, active, inSync, folderToken = null } = value ?? {};
  const isRecord =
    Number.isSafeInteger(epoch) &&
    typeof active === "string" &&
    Array.isArray(inSync) &&
    inSync.every((name) => typeof name === "string") &&
    inSync.includes(active) &&
    (folderToken === null || typeof folderToken === "string");
  if (!isRecord) throw new Error(`the witness holds no record of a pair: ${text.slice(0, 200)}`);
  return { epoch, active, inSync, folderToken } as PairRecord;
}
