import type { ClaimAtom, PublicKey, Asset as XdrAsset } from "@stellar/stellar-sdk/xdr";
import { accountOf } from "./entries.ts";
import {
  addressOf,
  assetMembers,
  assetText,
  decimal,
  isoTime,
  type Listed,
} from "./horizon-answer.ts";
import { arrivedBy, claimedBy, type Executed, executedIn, sentBy } from "./horizon-history.ts";
import { renderPredicate } from "./horizon-market.ts";
import type { FoundTransaction } from "./ledger.ts";

/** Effects by their number in Horizon. */
const effectTypes = {
  account_created: 0,
  account_removed: 1,
  account_credited: 2,
  account_debited: 3,
  trade: 33,
  claimable_balance_created: 50,
  claimable_balance_claimant_created: 51,
  claimable_balance_claimed: 52,
} as const;

type Effect = {
  readonly type: keyof typeof effectTypes;
  readonly account: string;
  readonly members: object;
};

/** What a transaction's operations did to accounts, as Horizon lists it; nothing if it failed. */
export function listEffects(transaction: FoundTransaction): readonly Listed[] {
  const { type } = transaction.result.result;
  if (type !== "txSuccess" && type !== "txFeeBumpInnerSuccess") return [];
  const created_at = isoTime(transaction.ledger.closeTime);
  return executedIn(transaction).flatMap((executed) =>
    effectsOf(executed).map(({ type: name, account, members }, index) => ({
      id: `${String(executed.id).padStart(19, "0")}-${String(index + 1).padStart(10, "0")}`,
      paging_token: `${executed.id}-${index + 1}`,
      account,
      type: name,
      type_i: effectTypes[name],
      created_at,
      ...members,
    })),
  );
}

function moved(
  type: "account_credited" | "account_debited",
  owner: PublicKey,
  asset: XdrAsset,
  units: bigint,
): Effect {
  const members = { ...assetMembers(asset), amount: decimal(units) };
  return { type, account: addressOf(owner), members };
}

function effectsOf(executed: Executed): readonly Effect[] {
  const { body, result, source } = executed;
  const transfer = (to: PublicKey, arrived: [XdrAsset, bigint], sent = arrived): Effect[] => [
    moved("account_credited", to, ...arrived),
    moved("account_debited", source, ...sent),
    ...claimedBy(result).flatMap((claimed) => tradesOf(source, claimed)),
  ];
  if (body.type === "createAccount") {
    const { destination, startingBalance } = body.createAccountOp;
    const members = { starting_balance: decimal(startingBalance) };
    return [{ type: "account_created", account: addressOf(destination), members }];
  }
  if (body.type === "payment") {
    const { destination, asset, amount } = body.paymentOp;
    return transfer(accountOf(destination), [asset, amount]);
  }
  if (body.type === "pathPaymentStrictSend") {
    const { destination, destAsset, sendAsset, sendAmount } = body.pathPaymentStrictSendOp;
    const arrived = arrivedBy(result) ?? 0n;
    return transfer(accountOf(destination), [destAsset, arrived], [sendAsset, sendAmount]);
  }
  if (body.type === "pathPaymentStrictReceive") {
    const { destination, destAsset, sendAsset, destAmount } = body.pathPaymentStrictReceiveOp;
    const sent = sentBy(result, sendAsset, destAmount);
    return transfer(accountOf(destination), [destAsset, destAmount], [sendAsset, sent]);
  }
  if (
    body.type === "manageSellOffer" ||
    body.type === "createPassiveSellOffer" ||
    body.type === "manageBuyOffer"
  )
    return claimedBy(result).flatMap((claimed) => tradesOf(source, claimed));
  if (body.type === "accountMerge")
    return [{ type: "account_removed", account: addressOf(source), members: {} }];
  if (body.type === "createClaimableBalance") return createdBalance(executed);
  if (body.type === "claimClaimableBalance") {
    const members = { balance_id: body.claimClaimableBalanceOp.balanceId.toXdr("hex") };
    return [{ type: "claimable_balance_claimed", account: addressOf(source), members }];
  }
  return [];
}

/** A trade is an effect for each side. */
function tradesOf(taker: PublicKey, { value }: ClaimAtom): readonly Effect[] {
  if (!("sellerId" in value)) return [];
  const { sellerId, offerId, assetSold, amountSold, assetBought, amountBought } = value;
  const offer_id = String(offerId);
  const sold = [decimal(amountSold), assetSold] as const;
  const bought = [decimal(amountBought), assetBought] as const;
  const side = (
    owner: PublicKey,
    seller: PublicKey,
    [sold_amount, soldAsset]: typeof sold,
    [bought_amount, boughtAsset]: typeof bought,
  ): Effect => ({
    type: "trade",
    account: addressOf(owner),
    members: {
      seller: addressOf(seller),
      offer_id,
      sold_amount,
      ...assetMembers(soldAsset, "sold_"),
      bought_amount,
      ...assetMembers(boughtAsset, "bought_"),
    },
  });
  return [side(taker, sellerId, bought, sold), side(sellerId, taker, sold, bought)];
}

function createdBalance({ body, result, source }: Executed): Effect[] {
  if (body.type !== "createClaimableBalance" || result?.type !== "createClaimableBalance")
    return [];
  const { asset, amount, claimants } = body.createClaimableBalanceOp;
  const { value } = result;
  const balance_id =
    value.type === "createClaimableBalanceSuccess" ? value.balanceId.toXdr("hex") : "";
  const balance = { balance_id, asset: assetText(asset), amount: decimal(amount) };
  return [
    { type: "claimable_balance_created", account: addressOf(source), members: balance },
    ...claimants.map(
      ({ v0 }): Effect => ({
        type: "claimable_balance_claimant_created",
        account: addressOf(v0.destination),
        members: { ...balance, predicate: renderPredicate(v0.predicate) },
      }),
    ),
    moved("account_debited", source, asset, amount),
  ];
}
