import { addressText } from "./address.ts";
import { applyAssetConfig, applyAssetFreeze, applyAssetTransfer } from "./apply-asset.ts";
import type { AppliedTransaction, ApplyData } from "./apply-data.ts";
import { type Credit, callApplication } from "./call-application.ts";
import type { Network } from "./genesis.ts";
import { applyPayment, checkMinBalances, moveAlgos } from "./move-algos.ts";
import { amountText, Refusal, refuse } from "./refusal.ts";
import { checkForm, rules } from "./rules.ts";
import type { Draft } from "./state.ts";
import {
  authorizerOf,
  groupHash,
  hasValidSignature,
  type SignedTransaction,
  type Transaction,
  transactionId,
} from "./transaction.ts";

/** Checks a group without the ledger: forms, group ids, signatures. Throws `Refusal`. */
export function verifyGroup(group: readonly SignedTransaction[], network: Network): void {
  for (const { txn } of group)
    inContext(`transaction ${transactionId(txn)} invalid : `, () => {
      checkForm(txn, network.feeSink);
    });
  checkGroupId(group.map(({ txn }) => txn));
  for (const signed of group)
    inContext(`transaction ${transactionId(signed.txn)} invalid : `, () => {
      if (signed.msig !== undefined || signed.lsig !== undefined)
        refuse("the simulated network takes signatures of single keys only");
      if (signed.sig === undefined) refuse("signedtxn has no sig");
    });
  if (!group.every(hasValidSignature)) refuse("At least one signature didn't pass verification");
}

function checkGroupId(group: readonly Transaction[]): void {
  const named = group.map(({ grp }) => (grp === undefined ? null : base64Text(grp)));
  const first = named[0] ?? null;
  if (first === null && group.length > 1)
    refuse(`transactionGroup: [0] had zero Group but was submitted in a group of ${group.length}`);
  const other = named.find((name) => name !== first);
  if (other !== undefined)
    refuse(`transactionGroup: inconsistent group values: ${other ?? ""} != ${first ?? ""}`);
  const computed = base64Text(groupHash(group));
  if (first !== null && first !== computed)
    refuse(`transactionGroup: incomplete group: ${first} != ${computed}`);
}

function base64Text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

/**
 * Executes a group in a block on a draft of its own, which becomes part of the given one only as a whole. Throws `Refusal`.
 */
export function applyGroup(
  below: Draft,
  group: readonly SignedTransaction[],
  { network, round }: { readonly network: Network; readonly round: bigint },
): readonly AppliedTransaction[] {
  if (group.length > rules.groupMax)
    refuse(`group size ${group.length} exceeds maximum ${rules.groupMax}`);
  const draft = below.nested();
  const paid = group.reduce((sum, { txn }) => sum + (txn.fee ?? 0n), 0n);
  const needed = rules.minFee * BigInt(group.length);
  // Applications pay for their transactions from what the group pays too much.
  const credit: Credit = { microAlgos: paid > needed ? paid - needed : 0n };
  const applied = group.map((signed) => applyOne(draft, signed, { network, round, credit }));
  if (paid < needed)
    refuse(
      `txgroup with ${amountText(paid)} fees is less than ${amountText(needed)} (usage=${group.length}.000000 * base=${amountText(rules.minFee)})`,
    );
  draft.commit();
  return applied;
}

type Context = { readonly network: Network; readonly round: bigint; readonly credit: Credit };

function applyOne(draft: Draft, signed: SignedTransaction, context: Context): AppliedTransaction {
  const { txn } = signed;
  const sender = senderOf(txn);
  const txid = transactionId(txn);
  checkAlive(txn, context);
  if (draft.rounds.get(txid) !== null) refuse(`transaction already in ledger: ${txid}`);
  const lease = txn.lx === undefined ? null : `(${sender}, ${addressText(txn.lx)})`;
  if (lease !== null && (draft.leases.get(lease) ?? -1n) >= context.round)
    refuse(`transaction ${txid} using an overlapping lease (sender, lease):${lease}`);
  const rightful = draft.account(sender).authAddress ?? sender;
  const actual = addressText(authorizerOf(signed));
  if (rightful !== actual)
    refuse(
      `transaction ${txid}: should have been authorized by ${rightful} but was actually authorized by ${actual}`,
    );
  const data = inContext(`transaction ${txid}: `, () => {
    const did = execute(draft, txn, context);
    checkMinBalances(draft, [context.network.feeSink, context.network.rewardsPool]);
    return did;
  });
  draft.rounds.put(txid, context.round);
  if (lease !== null) draft.leases.put(lease, txn.lv ?? 0n);
  draft.setCounter(draft.counter() + 1n);
  return { ...signed, ...data };
}

function checkAlive({ fv = 0n, gen, gh, lv = 0n }: Transaction, { network, round }: Context): void {
  if (round < fv || round > lv) refuse(`txn dead: round ${round} outside of ${fv}--${lv}`);
  if (gen !== undefined && gen !== network.genesisId)
    refuse(`tx.GenesisID <${gen}> does not match expected <${network.genesisId}>`);
  if (gh === undefined) refuse("required tx.GenesisHash is missing");
  if (Buffer.compare(gh, network.genesisHash) !== 0)
    refuse(
      `tx.GenesisHash <${base64Text(gh)}> does not match expected <${base64Text(network.genesisHash)}>`,
    );
}

/** Takes the fee, changes the key, and does what the transaction says. */
function execute(draft: Draft, txn: Transaction, context: Context): ApplyData {
  const sender = senderOf(txn);
  moveAlgos(draft, sender, context.network.feeSink, txn.fee ?? 0n);
  if (txn.rekey !== undefined) {
    const target = addressText(txn.rekey);
    const authAddress = target === sender ? null : target;
    draft.putAccount(sender, { ...draft.account(sender), authAddress });
  }
  switch (txn.type) {
    case "pay":
      return applyPayment(draft, txn, sender);
    case "axfer":
      return applyAssetTransfer(draft, txn, sender);
    case "acfg":
      return applyAssetConfig(draft, txn, sender);
    case "afrz":
      return applyAssetFreeze(draft, txn, sender);
    case "appl":
      return callApplication(draft, txn, {
        credit: context.credit,
        feeSink: context.network.feeSink,
        execute: (inner) => execute(draft, inner, context),
      });
    default:
      return refuse(`unknown transaction type ${txn.type}`);
  }
}

function senderOf({ snd = new Uint8Array(32) }: Transaction): string {
  return addressText(snd);
}

/** Puts words before the message of a refusal. */
function inContext<Done>(words: string, work: () => Done): Done {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse(`${words}${error.message}`);
  }
}
