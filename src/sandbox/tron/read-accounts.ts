import { fromBase58, type HexAddress, isAddress } from "./address.ts";
import { account, accountResource, delegatedResource } from "./answers.ts";
import { blockIntervalMs } from "./block.ts";
import { type JsonRecord, printMessage, readBase58, readHex } from "./json.ts";
import { type Resource, smartContract } from "./messages.ts";
import { limitOf, slotOf, sunPerTrx, usedAt, windowSlots } from "./resources.ts";
import { type NodeRequest, numberIn, printAddress, type Routes, textIn } from "./routes.ts";
import { delegableOf, delegationKey } from "./staking.ts";
import type { Account, State } from "./state.ts";

/* Accounts, their resources, delegations and contracts. */

export const accountRoutes: Routes = {
  getaccount: (request) => {
    const address = addressIn(request, "address");
    const found = stateOf(request).accounts.get(address);
    if (found === undefined) return {};
    return {
      ...printMessage(account, describeAccount(address, found, now(request)), request.visible),
      ...printAssets("assetV2", found, (held) => held),
      ...printAssets("free_asset_net_usageV2", found, () => 0n),
    };
  },
  getdelegatedresourcev2: (request) => {
    const from = addressIn(request, "fromAddress");
    const to = addressIn(request, "toAddress");
    const { delegations } = stateOf(request);
    const printed = [false, true].flatMap((isLocked) => {
      const found = delegations.get(delegationKey(from, to, isLocked));
      return found === undefined
        ? []
        : [
            printMessage(
              delegatedResource,
              {
                from,
                to,
                frozen_balance_for_bandwidth: found.balances.BANDWIDTH,
                frozen_balance_for_energy: found.balances.ENERGY,
                expire_time_for_bandwidth: found.until.BANDWIDTH,
                expire_time_for_energy: found.until.ENERGY,
              },
              request.visible,
            ),
          ];
    });
    return printed.length === 0 ? {} : { delegatedResource: printed };
  },
  getdelegatedresourceaccountindexv2: (request) => {
    const address = addressIn(request, "value");
    const all = [...stateOf(request).delegations.values()];
    const print = (one: HexAddress): string => printAddress(one, request.visible);
    const toAccounts = all.filter(({ from }) => from === address).map(({ to }) => to);
    const fromAccounts = all.filter(({ to }) => to === address).map(({ from }) => from);
    return {
      account: print(address),
      ...(fromAccounts.length > 0 ? { fromAccounts: [...new Set(fromAccounts)].map(print) } : {}),
      ...(toAccounts.length > 0 ? { toAccounts: [...new Set(toAccounts)].map(print) } : {}),
    };
  },
  getcandelegatedmaxsize: (request) => {
    const found = stateOf(request).accounts.get(addressIn(request, "owner_address"));
    const kind = numberIn(request, "type") === 1 ? "ENERGY" : "BANDWIDTH";
    const context = request.ledger.context(request.view);
    const size = found === undefined ? 0n : delegableOf(found, kind, stateOf(request), context);
    return size < sunPerTrx ? {} : { max_size: size };
  },
};

/** What only the full node answers. */
export const resourceRoutes: Routes = {
  getaccountresource: (request) => {
    const found = stateOf(request).accounts.get(addressIn(request, "address"));
    if (found === undefined) return {};
    return {
      ...printMessage(accountResource, describeResources(found, request), request.visible),
      ...printAssetBandwidth(found),
    };
  },
  getaccountnet: (request) => {
    const found = stateOf(request).accounts.get(addressIn(request, "address"));
    if (found === undefined) return {};
    const { freeNetUsed, freeNetLimit, NetUsed, NetLimit, TotalNetLimit, TotalNetWeight } =
      describeResources(found, request);
    const net = { freeNetUsed, freeNetLimit, NetUsed, NetLimit, TotalNetLimit, TotalNetWeight };
    return {
      ...printMessage(accountResource, net, request.visible),
      ...printAssetBandwidth(found),
    };
  },
  getcontract: (request) => {
    const found = stateOf(request).contracts.get(addressIn(request, "value"));
    return found?.definition == null
      ? {}
      : printMessage(smartContract, found.definition, request.visible);
  },
  getcontractinfo: (request) => {
    const address = addressIn(request, "value");
    const found = stateOf(request).contracts.get(address);
    if (found?.definition == null) return {};
    const factor = request.ledger.settings().energyFactors[address] ?? 0n;
    return {
      runtimecode: found.code,
      smart_contract: printMessage(smartContract, found.definition, request.visible),
      contract_state: describeUse(request, address, factor),
    };
  },
};

function stateOf({ ledger, view }: NodeRequest): State {
  return ledger.state(view);
}

function now({ ledger, view }: NodeRequest): bigint {
  return slotOf(ledger.context(view).headTimestamp);
}

/** An address of the request in the form that it announces. */
function addressIn(request: NodeRequest, name: string): HexAddress {
  const text = textIn(request, name);
  if (!request.visible) return readHex(text);
  return text === "" ? "" : readBase58(text);
}

/** An optimized window counts thousandths of slots. */
const windowSize = windowSlots * 1000n;

/** All contracts that an active permission allows by default. */
const activeOperations = `7fff1fc0033efb0f${"0".repeat(48)}`;

/** What the dynamic energy model knows of a contract: its use in this maintenance cycle, and its factor. */
function describeUse({ ledger }: NodeRequest, address: HexAddress, factor: bigint): JsonRecord {
  const cycleMs = Number(ledger.settings().parameters.getMaintenanceTimeInterval);
  const cycle = Math.floor(ledger.head().timestamp / cycleMs);
  let used = 0n;
  for (
    let block = ledger.blockAt(ledger.head().number);
    block !== null && block.timestamp >= cycle * cycleMs;
    block = ledger.blockAt(block.number - 1)
  )
    for (const { info } of block.transactions)
      if (info.contract_address === address) used += info.receipt?.energy_usage_total ?? 0n;
  return {
    ...(used === 0n ? {} : { energy_usage: used }),
    ...(factor === 0n ? {} : { energy_factor: factor }),
    update_cycle: cycle,
  };
}

/** What every account has on this ledger: its own key as owner and as active signer. */
export function permissionsOf(address: HexAddress) {
  const keys = [{ address, weight: 1n }];
  return {
    owner_permission: { permission_name: "owner", threshold: 1n, keys },
    active_permission: [
      {
        type: "Active" as const,
        id: 2n,
        permission_name: "active",
        threshold: 1n,
        operations: activeOperations,
        keys,
      },
    ],
  };
}

/** A map of TRC-10 tokens by id: unlike other members, its values are printed when they are zero. */
function printAssets(
  name: string,
  { assets }: Account,
  valueOf: (held: bigint) => bigint,
): JsonRecord {
  const entries = Object.entries(assets).map(([key, held]) => ({ key, value: valueOf(held) }));
  return entries.length === 0 ? {} : { [name]: entries };
}

/** The issuer of the ledger's TRC-10 token gives its holders no bandwidth. */
function printAssetBandwidth(found: Account): JsonRecord {
  return {
    ...printAssets("assetNetUsed", found, () => 0n),
    ...printAssets("assetNetLimit", found, () => 0n),
  };
}

function describeAccount(address: HexAddress, found: Account, slot: bigint) {
  const timeOf = (at: bigint): bigint => at * BigInt(blockIntervalMs);
  return {
    address,
    type: found.type,
    balance: found.balance,
    create_time: found.createdAt,
    latest_opration_time: found.usedAt,
    net_usage: usedAt(found.net, slot),
    free_net_usage: usedAt(found.freeNet, slot),
    latest_consume_time: timeOf(found.net.slot),
    latest_consume_free_time: timeOf(found.freeNet.slot),
    net_window_size: windowSize,
    net_window_optimized: true,
    account_resource: {
      energy_usage: usedAt(found.energy, slot),
      latest_consume_time_for_energy: timeOf(found.energy.slot),
      energy_window_size: windowSize,
      energy_window_optimized: true,
      delegated_frozenV2_balance_for_energy: found.lent.ENERGY,
      acquired_delegated_frozenV2_balance_for_energy: found.borrowed.ENERGY,
    },
    ...(found.type === "Contract" ? {} : permissionsOf(address)),
    frozenV2: [
      { amount: found.staked.BANDWIDTH },
      { type: "ENERGY" as const, amount: found.staked.ENERGY },
      { type: "TRON_POWER" as const },
    ],
    unfrozenV2: found.unstaking.map(({ resource, amount, until }) => ({
      type: resource,
      unfreeze_amount: amount,
      unfreeze_expire_time: until,
    })),
    delegated_frozenV2_balance_for_bandwidth: found.lent.BANDWIDTH,
    acquired_delegated_frozenV2_balance_for_bandwidth: found.borrowed.BANDWIDTH,
    asset_optimized: true,
  };
}

function describeResources(found: Account, request: NodeRequest) {
  const settings = request.ledger.settings();
  const state = stateOf(request);
  const { parameters } = settings;
  const slot = now(request);
  const limit = (kind: Resource): bigint => limitOf(found, kind, state, settings);
  const stakes = Object.values(found.staked).concat(Object.values(found.lent));
  return {
    freeNetUsed: usedAt(found.freeNet, slot),
    freeNetLimit: parameters.getFreeNetLimit,
    NetUsed: usedAt(found.net, slot),
    NetLimit: limit("BANDWIDTH"),
    TotalNetLimit: parameters.getTotalNetLimit,
    TotalNetWeight: state.weights.BANDWIDTH,
    tronPowerLimit: stakes.reduce((sum, stake) => sum + stake, 0n) / sunPerTrx,
    EnergyUsed: usedAt(found.energy, slot),
    EnergyLimit: limit("ENERGY"),
    TotalEnergyLimit: parameters.getTotalEnergyCurrentLimit,
    TotalEnergyWeight: state.weights.ENERGY,
  };
}

/** `validateaddress`: whether a text is an address, and in which form. */
export function validateAddress(text: string): JsonRecord {
  if (text.length === 42)
    return isAddress(text.toLowerCase())
      ? { result: true, message: "Hex string format" }
      : { result: false, message: "Invalid address" };
  if (text.length === 34)
    return isAddress(fromBase58(text) ?? "")
      ? { result: true, message: "Base58check format" }
      : { result: false, message: "Invalid address" };
  if (text.length === 28)
    return isAddress(Buffer.from(text, "base64").toString("hex"))
      ? { result: true, message: "Base64 format" }
      : { result: false, message: "Invalid address" };
  return { result: false, message: "Length error" };
}
