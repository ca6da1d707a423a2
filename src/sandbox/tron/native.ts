import { type HexAddress, isAddress } from "./address.ts";
import type { ContractValue } from "./messages.ts";
import { addBalance, type Context } from "./resources.ts";
import { delegate, freeze, ownerOf, undelegate, unfreeze } from "./staking.ts";
import { type Account, type Draft, newAccount, type State } from "./state.ts";
import { type Contract, refuseContract } from "./transaction.ts";

/* The system contracts, which execute without the virtual machine. Checks and texts are java-tron's (`core/actuator`). */

export type NativeContract = Exclude<
  Contract,
  { readonly type: "TriggerSmartContract" | "CreateSmartContract" }
>;

/** Whether the transaction makes an account, which changes what its bytes cost. */
export function makesAccount(contract: Contract, state: State): boolean {
  if (contract.type === "AccountCreateContract") return true;
  return (
    (contract.type === "TransferContract" || contract.type === "TransferAssetContract") &&
    !state.accounts.has(contract.value.to_address ?? "")
  );
}

/** Checks and executes a system contract. Returns its fee in sun. Throws `Refusal`; the draft is then worthless. */
export function executeNative(draft: Draft, contract: NativeContract, context: Context): bigint {
  switch (contract.type) {
    case "TransferContract":
      return transfer(draft, contract.value, context);
    case "TransferAssetContract":
      return transferAsset(draft, contract.value, context);
    case "AccountCreateContract":
      return createAccount(draft, contract.value, context);
    case "FreezeBalanceV2Contract":
      return freeze(draft, contract.value);
    case "UnfreezeBalanceV2Contract":
      return unfreeze(draft, contract.value, context);
    case "DelegateResourceContract":
      return delegate(draft, contract.value, context);
    case "UnDelegateResourceContract":
      return undelegate(draft, contract.value, context);
  }
}

function transfer(
  draft: Draft,
  {
    owner_address: owner = "",
    to_address: to = "",
    amount = 0n,
  }: ContractValue<"TransferContract">,
  context: Context,
): bigint {
  if (!isAddress(owner)) refuseContract("Invalid ownerAddress!");
  if (!isAddress(to)) refuseContract("Invalid toAddress!");
  if (to === owner) refuseContract("Cannot transfer TRX to yourself.");
  const sender = draft.accounts.get(owner);
  if (sender === undefined) refuseContract("Validate TransferContract error, no OwnerAccount.");
  if (amount <= 0n) refuseContract("Amount must be greater than 0.");
  const receiver = draft.accounts.get(to);
  if (receiver?.type === "Contract") refuseContract("Cannot transfer TRX to a smartContract.");
  const fee = receiver === undefined ? activationFee(context) : 0n;
  if (sender.balance < amount + fee)
    refuseContract("Validate TransferContract error, balance is not sufficient.");
  if (receiver === undefined) openAccount(draft, to, context);
  addBalance(draft, owner, -amount - fee);
  addBalance(draft, to, amount);
  return fee;
}

function transferAsset(
  draft: Draft,
  value: ContractValue<"TransferAssetContract">,
  context: Context,
): bigint {
  const { owner_address: owner = "", to_address: to = "", amount = 0n, asset_name = "" } = value;
  const id = Buffer.from(asset_name, "hex").toString("utf8");
  if (!isAddress(owner)) refuseContract("Invalid ownerAddress");
  if (!isAddress(to)) refuseContract("Invalid toAddress");
  if (amount <= 0n) refuseContract("Amount must be greater than 0.");
  if (to === owner) refuseContract("Cannot transfer asset to yourself.");
  const sender = draft.accounts.get(owner);
  if (sender === undefined) refuseContract("No owner account!");
  const isIssued = [...draft.accounts.values()].some(({ assets }) => Object.hasOwn(assets, id));
  if (!isIssued) refuseContract("No asset!");
  const held = sender.assets[id] ?? 0n;
  if (held <= 0n) refuseContract("assetBalance must be greater than 0.");
  if (amount > held) refuseContract("assetBalance is not sufficient.");
  const receiver = draft.accounts.get(to);
  if (receiver?.type === "Contract") refuseContract("Cannot transfer asset to smartContract.");
  const fee = receiver === undefined ? activationFee(context) : 0n;
  if (sender.balance < fee)
    refuseContract("Validate TransferAssetActuator error, insufficient fee.");
  const arrived = receiver ?? openAccount(draft, to, context);
  draft.accounts.set(to, {
    ...arrived,
    assets: { ...arrived.assets, [id]: (arrived.assets[id] ?? 0n) + amount },
  });
  draft.accounts.set(owner, {
    ...sender,
    balance: sender.balance - fee,
    assets: { ...sender.assets, [id]: held - amount },
  });
  return fee;
}

function createAccount(
  draft: Draft,
  value: ContractValue<"AccountCreateContract">,
  context: Context,
): bigint {
  const { owner_address: owner = "", account_address: created = "" } = value;
  const fee = activationFee(context);
  const sender = ownerOf(draft, owner, "Invalid ownerAddress");
  if (sender.balance < fee)
    refuseContract("Validate CreateAccountActuator error, insufficient fee.");
  if (!isAddress(created)) refuseContract("Invalid account address");
  if (draft.accounts.has(created)) refuseContract("Account has existed");
  openAccount(draft, created, context);
  addBalance(draft, owner, -fee);
  return fee;
}

function activationFee({ settings }: Context): bigint {
  return settings.parameters.getCreateNewAccountFeeInSystemContract;
}

function openAccount(draft: Draft, address: HexAddress, { headTimestamp }: Context): Account {
  const account = newAccount("Normal", BigInt(headTimestamp));
  draft.accounts.set(address, account);
  return account;
}
