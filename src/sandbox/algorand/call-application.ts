import { addressText, hashOf } from "./address.ts";
import type { AppliedTransaction, ApplyData } from "./apply-data.ts";
import { bigEndian, MalformedBytes } from "./msgpack.ts";
import { Refusal, refuse } from "./refusal.ts";
import { checkForm, rules } from "./rules.ts";
import type { Draft } from "./state.ts";
import { readTransaction, type Transaction } from "./transaction.ts";

/** What a group pays beyond the fees of its own transactions; applications spend it. */
export type Credit = { microAlgos: bigint };

type Caller = {
  readonly credit: Credit;
  readonly feeSink: string;
  /** Executes a transaction that an application sends, on the same draft. */
  readonly execute: (inner: Transaction) => ApplyData;
};

/** The account of an application. */
function applicationAccount(id: bigint): Uint8Array {
  return hashOf("appID", bigEndian(id, 8));
}

/** `pushint 1` in version 12. The network does not run it: it stands for what is written here. */
export const dispatcherProgram = Uint8Array.of(0x0c, 0x81, 0x01);

const argumentsMax = 16;
const argumentBytesMax = 2_048;

/**
 * Calls an application. There is one kind: it sends each argument, which is an encoded transaction without a sender, from its own account.
 * Programs are stored and not interpreted.
 */
export function callApplication(draft: Draft, txn: Transaction, caller: Caller): ApplyData {
  const { apaa = [], apan = 0n, apap, apid = 0n, apsu, fv, lv } = txn;
  if (apid === 0n) return createApplication(draft, txn);
  if (apan !== 0n || apap !== undefined || apsu !== undefined)
    refuse("the simulated network only creates and calls applications");
  if (draft.applications.get(apid) === null)
    refuse(`only ClearState is supported for an application (${apid}) that does not exist`);
  const bytes = apaa.reduce((sum, { length }) => sum + length, 0);
  if (apaa.length > argumentsMax)
    refuse(`tx.ApplicationArgs too long, max number of arguments is ${argumentsMax}`);
  if (bytes > argumentBytesMax)
    refuse(`tx.ApplicationArgs total length is too long, max is ${argumentBytesMax}`);
  const validity = { ...(fv === undefined ? {} : { fv }), ...(lv === undefined ? {} : { lv }) };
  const itx = apaa.map((argument): AppliedTransaction => {
    const { fee: stated, ...rest } = readArgument(argument);
    const inner = { ...rest, ...validity, snd: applicationAccount(apid) };
    checkForm(inner, caller.feeSink);
    const fee = stated ?? missingFee(caller.credit);
    if (fee < missingFee(caller.credit)) refuse(`fee too small ${fee}`);
    caller.credit.microAlgos += fee - rules.minFee;
    const sent = fee === 0n ? inner : { ...inner, fee };
    const rightful = draft.account(addressText(inner.snd)).authAddress;
    if (rightful !== null) refuse(`unauthorized AuthAddr ${rightful}`);
    draft.setCounter(draft.counter() + 1n);
    return { txn: sent, ...caller.execute(sent) };
  });
  return itx.length === 0 ? {} : { dt: { itx } };
}

/** What a transaction must pay itself. */
function missingFee({ microAlgos }: Credit): bigint {
  return microAlgos >= rules.minFee ? 0n : rules.minFee - microAlgos;
}

function readArgument(argument: Uint8Array): Transaction {
  try {
    return readTransaction(argument);
  } catch (error) {
    if (error instanceof MalformedBytes || error instanceof Refusal)
      return refuse(`logic eval error: ${error.message}`);
    throw error;
  }
}

function createApplication(draft: Draft, { apap, apsu, snd }: Transaction): ApplyData {
  if (apap === undefined || apsu === undefined) refuse("invalid program (empty)");
  if ([apap, apsu].some((program) => Buffer.compare(program, dispatcherProgram) !== 0))
    refuse("the simulated network has one program, and this is another one");
  const creator = addressText(snd ?? new Uint8Array(32));
  const id = draft.counter() + 1n;
  draft.applications.put(id, { creator, approval: apap, clear: apsu });
  const account = draft.account(creator);
  const createdApplications = [...account.createdApplications, id];
  draft.putAccount(creator, { ...account, createdApplications });
  return { apid: id };
}
