import { type Answer, Fault, jsonAnswer } from "./answer.ts";
import type { Ledger } from "./ledger.ts";
import { MalformedBytes } from "./msgpack.ts";
import { Refusal } from "./refusal.ts";
import { rules } from "./rules.ts";
import { readSignedTransactions, type SignedTransaction, transactionId } from "./transaction.ts";

/** Takes the signed transactions in a body as one group, and answers with the first one's id. */
export async function submit(ledger: Ledger, body: Uint8Array): Promise<Answer> {
  const group = readGroup(body);
  const [first] = group;
  if (first === undefined) throw new Fault(400, "empty txgroup");
  if (group.length > rules.groupMax) throw new Fault(400, `max group size is ${rules.groupMax}`);
  try {
    await ledger.submit(group);
  } catch (error) {
    if (error instanceof Refusal) throw new Fault(400, error.message);
    throw error;
  }
  return jsonAnswer({ txId: transactionId(first.txn) });
}

function readGroup(body: Uint8Array): readonly SignedTransaction[] {
  try {
    return readSignedTransactions(body);
  } catch (error) {
    if (error instanceof MalformedBytes)
      throw new Fault(400, `msgpack decode error: ${error.message}`);
    throw error;
  }
}
