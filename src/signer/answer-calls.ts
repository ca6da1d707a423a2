import type { PayoutIntent, SignedPayout, SignedSpend } from "./intent.ts";
import type { MarkFile } from "./journal/database-mark.ts";
import type { IssueJournal } from "./journal/issue-journal.ts";
import type { SpendJournal } from "./journal/spend-journal.ts";
import type { IssuedKind } from "./keys/account-paths.ts";
import type { AccountKey, CreateOutcome, IssuedRange } from "./protocol.ts";
import { type Desk, NotTheActive } from "./serve-signer.ts";
import type { Signing } from "./sign-spend.ts";

/** Answers calls from the keys and journals: what a single signer does, and the active one of a pair. */
export function createAnswers(context: {
  readonly accounts: readonly AccountKey[];
  /** The kinds of addresses whose indexes are recorded. */
  readonly kinds: readonly IssuedKind[];
  readonly issued: IssueJournal;
  readonly createKeys: (range: IssuedRange) => Promise<CreateOutcome>;
  readonly spends: SpendJournal;
  readonly mark: MarkFile;
  readonly signing: Signing;
}): Desk["answer"] {
  const { accounts, kinds, issued, spends, mark } = context;

  const assertKnownKind = ({ keyspace, addressType }: IssuedRange): void => {
    const isKnown = kinds.some(
      (kind) => kind.keyspace === keyspace && kind.addressType === addressType,
    );
    if (!isKnown) throw new RangeError(`no account has addresses of ${keyspace}/${addressType}`);
  };

  return async ({ call }, held) => {
    switch (call.method) {
      case "rights":
        return held;
      case "accountKeys":
        return accounts;
      case "highestIssued":
        return issued.highest(call.keyspace, call.addressType);
      case "recordIssued":
        assertKnownKind(call);
        return issued.record(call);
      case "createKeys":
        return context.createKeys(call);
      case "sign":
        return context.signing.sign(call.request);
      case "claimCoins":
        return context.signing.claimCoins(call.chain, call.coins, call.which, call.addresses);
      case "signedSpends":
        return spends.after(call.chain, call.after);
      case "payoutsSigned":
        return findSigned(spends, call.payoutIds);
      // A single signer; the active one of a pair answers itself.
      case "pairState":
        return null;
      case "readMark":
        return mark.read();
      case "mark":
        return mark.move({ generation: call.generation, numbers: call.numbers });
      case "replica":
        throw new NotTheActive("this signer is not a standby");
    }
  };
}

async function findSigned(
  spends: SpendJournal,
  payoutIds: readonly string[],
): Promise<readonly SignedPayout[]> {
  const found: SignedPayout[] = [];
  for (const payoutId of payoutIds) {
    const signed = await spends.spendsOf(payoutId);
    if (signed.length === 0) continue;
    found.push({
      payoutId,
      txids: signed.map(({ txid }) => txid),
      intents: signed.flatMap((spend) => intentsOf(spend, payoutId)),
    });
  }
  return found;
}

function intentsOf({ intent }: SignedSpend, payoutId: string): readonly PayoutIntent[] {
  return intent.kind === "payout"
    ? intent.payouts.filter((payout) => payout.payoutId === payoutId)
    : [];
}
