import { type Cell, Dictionary, loadMessage } from "@ton/core";

/** An internal message on its way. */
export type Queued = {
  readonly cell: Cell;
  /** 64 hexadecimal digits. */
  readonly hash: string;
  /** The receiver's raw address. */
  readonly account: string;
  readonly createdLt: bigint;
  readonly traceId: string;
};

/**
 * The messages in a transaction as they are serialized there: reading and writing a message may put its body elsewhere, which changes
 * its hash.
 */
export function messagesIn(transaction: Cell): {
  readonly inMessage: Cell | null;
  readonly outMessages: readonly Cell[];
} {
  const messages = transaction.beginParse().loadRef().beginParse();
  const inMessage = messages.loadMaybeRef();
  const outMessages = messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  return { inMessage, outMessages: outMessages.values() };
}

/** The internal messages among those that a transaction sends. */
export function queuedBy(outMessages: readonly Cell[], traceId: string): readonly Queued[] {
  return outMessages.flatMap((cell) => {
    const { info } = loadMessage(cell.beginParse());
    if (info.type !== "internal") return [];
    const hash = cell.hash().toString("hex");
    const account = info.dest.toRawString();
    return [{ cell, hash, account, createdLt: info.createdLt, traceId }];
  });
}
