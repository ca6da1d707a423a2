import { addressText } from "./address.ts";
import { Fault } from "./answer.ts";
import type { Ledger } from "./ledger.ts";
import type { ValueMap } from "./msgpack.ts";
import { type Account, type Asset, minBalanceOf } from "./state.ts";

/** An account, which nobody needs to have paid to. `exclude=all` leaves out what it holds and created. */
export function accountValue(ledger: Ledger, address: string, exclude: string | null): ValueMap {
  const account = ledger.state().account(address);
  const { authAddress, createdApplications, createdAssets, holdings, microAlgos } = account;
  const resources: ValueMap = {
    assets: [...holdings]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id]) => holding(account, id)),
    "created-assets": createdAssets.map((id) => assetValue(ledger, id)),
    "created-apps": createdApplications.map((id) => applicationValue(ledger, id)),
    "apps-local-state": [],
  };
  return {
    address,
    amount: microAlgos,
    "amount-without-pending-rewards": microAlgos,
    "apps-total-schema": { "num-byte-slice": 0n, "num-uint": 0n },
    "auth-addr": authAddress ?? undefined,
    "min-balance": minBalanceOf(account),
    "pending-rewards": 0n,
    "reward-base": 0n,
    rewards: 0n,
    round: ledger.newest().round,
    status: "Offline",
    "total-apps-opted-in": 0n,
    "total-assets-opted-in": BigInt(holdings.size),
    "total-created-apps": BigInt(createdApplications.length),
    "total-created-assets": BigInt(createdAssets.length),
    ...(exclude === "all" ? {} : resources),
  };
}

function holding({ holdings }: Account, id: bigint): ValueMap {
  const { amount, isFrozen } = holdings.get(id) ?? { amount: 0n, isFrozen: false };
  return { amount, "asset-id": id, "is-frozen": isFrozen };
}

/** What an account holds of an asset, and the asset if the account created it. */
export function holdingValue(ledger: Ledger, address: string, id: bigint): ValueMap {
  const account = ledger.state().account(address);
  const asset = ledger.state().assets.get(id);
  const isCreator = asset?.creator === address;
  if (!account.holdings.has(id) && !isCreator) throw new Fault(404, "account asset info not found");
  return {
    round: ledger.newest().round,
    "asset-holding": account.holdings.has(id) ? holding(account, id) : undefined,
    "created-asset": isCreator ? paramsValue(asset) : undefined,
  };
}

export function assetValue(ledger: Ledger, id: bigint): ValueMap {
  const asset = ledger.state().assets.get(id);
  if (asset === null) throw new Fault(404, "asset does not exist");
  return { index: id, params: paramsValue(asset) };
}

function paramsValue({ creator, params }: Asset): ValueMap {
  const { am, an, au, c, dc = 0n, df = false, f, m, r, t = 0n, un } = params;
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
  const role = (account: Uint8Array | undefined) =>
    account === undefined ? undefined : addressText(account);
  return {
    creator,
    total: t,
    decimals: dc,
    "default-frozen": df,
    name: an,
    "name-b64": bytes(an),
    "unit-name": un,
    "unit-name-b64": bytes(un),
    url: au,
    "url-b64": bytes(au),
    "metadata-hash": am,
    manager: role(m),
    reserve: role(r),
    freeze: role(f),
    clawback: role(c),
  };
}

export function applicationValue(ledger: Ledger, id: bigint): ValueMap {
  const application = ledger.state().applications.get(id);
  if (application === null) throw new Fault(404, "application does not exist");
  const { approval, clear, creator } = application;
  const schema = { "num-byte-slice": 0n, "num-uint": 0n };
  return {
    id,
    params: {
      creator,
      "approval-program": approval,
      "clear-state-program": clear,
      "local-state-schema": schema,
      "global-state-schema": schema,
    },
  };
}
