import type { MessageOf, Schema } from "./wire.ts";

/* The messages of java-tron that this ledger speaks, with their field numbers (tronprotocol/protocol, `core/Tron.proto` and `core/contract`). */

export const resources = { BANDWIDTH: 0, ENERGY: 1, TRON_POWER: 2 } as const;
export type Resource = "BANDWIDTH" | "ENERGY";

const transferContract = {
  owner_address: [1, "address"],
  to_address: [2, "address"],
  amount: [3, "int"],
} as const satisfies Schema;

const transferAssetContract = {
  asset_name: [1, "name"],
  owner_address: [2, "address"],
  to_address: [3, "address"],
  amount: [4, "int"],
} as const satisfies Schema;

const accountCreateContract = {
  owner_address: [1, "address"],
  account_address: [2, "address"],
  type: [3, { Normal: 0, AssetIssue: 1, Contract: 2 }],
} as const satisfies Schema;

const freezeBalanceV2Contract = {
  owner_address: [1, "address"],
  frozen_balance: [2, "int"],
  resource: [3, resources],
} as const satisfies Schema;

const unfreezeBalanceV2Contract = {
  owner_address: [1, "address"],
  unfreeze_balance: [2, "int"],
  resource: [3, resources],
} as const satisfies Schema;

const delegateResourceContract = {
  owner_address: [1, "address"],
  resource: [2, resources],
  balance: [3, "int"],
  receiver_address: [4, "address"],
  lock: [5, "bool"],
  lock_period: [6, "int"],
} as const satisfies Schema;

const unDelegateResourceContract = {
  owner_address: [1, "address"],
  resource: [2, resources],
  balance: [3, "int"],
  receiver_address: [4, "address"],
} as const satisfies Schema;

const abiParameter = {
  indexed: [1, "bool"],
  name: [2, "string"],
  type: [3, "string"],
} as const satisfies Schema;

const abiEntry = {
  anonymous: [1, "bool"],
  constant: [2, "bool"],
  name: [3, "string"],
  inputs: [4, abiParameter, "repeated"],
  outputs: [5, abiParameter, "repeated"],
  type: [
    6,
    {
      UnknownEntryType: 0,
      Constructor: 1,
      Function: 2,
      Event: 3,
      Fallback: 4,
      Receive: 5,
      Error: 6,
    },
  ],
  payable: [7, "bool"],
  stateMutability: [8, { UnknownMutabilityType: 0, Pure: 1, View: 2, Nonpayable: 3, Payable: 4 }],
} as const satisfies Schema;

export const smartContract = {
  origin_address: [1, "address"],
  contract_address: [2, "address"],
  abi: [3, { entrys: [1, abiEntry, "repeated"] }],
  bytecode: [4, "bytes"],
  call_value: [5, "int"],
  consume_user_resource_percent: [6, "int"],
  name: [7, "string"],
  origin_energy_limit: [8, "int"],
  code_hash: [9, "bytes"],
  trx_hash: [10, "bytes"],
  version: [11, "int"],
} as const satisfies Schema;

const createSmartContract = {
  owner_address: [1, "address"],
  new_contract: [2, smartContract],
  call_token_value: [3, "int"],
  token_id: [4, "int"],
} as const satisfies Schema;

export const triggerSmartContract = {
  owner_address: [1, "address"],
  contract_address: [2, "address"],
  call_value: [3, "int"],
  data: [4, "bytes"],
  call_token_value: [5, "int"],
  token_id: [6, "int"],
} as const satisfies Schema;

/** The contracts that this ledger executes, by the name of their type. */
export const contracts = {
  AccountCreateContract: accountCreateContract,
  TransferContract: transferContract,
  TransferAssetContract: transferAssetContract,
  CreateSmartContract: createSmartContract,
  TriggerSmartContract: triggerSmartContract,
  FreezeBalanceV2Contract: freezeBalanceV2Contract,
  UnfreezeBalanceV2Contract: unfreezeBalanceV2Contract,
  DelegateResourceContract: delegateResourceContract,
  UnDelegateResourceContract: unDelegateResourceContract,
} as const satisfies Readonly<Record<string, Schema>>;

export type ContractType = keyof typeof contracts;
export type ContractValue<Type extends ContractType> = MessageOf<(typeof contracts)[Type]>;
export type SmartContract = MessageOf<typeof smartContract>;

/** All contract types, so that a transaction of another type can be read and refused. */
const contractTypes = {
  AccountCreateContract: 0,
  TransferContract: 1,
  TransferAssetContract: 2,
  VoteAssetContract: 3,
  VoteWitnessContract: 4,
  WitnessCreateContract: 5,
  AssetIssueContract: 6,
  WitnessUpdateContract: 8,
  ParticipateAssetIssueContract: 9,
  AccountUpdateContract: 10,
  FreezeBalanceContract: 11,
  UnfreezeBalanceContract: 12,
  WithdrawBalanceContract: 13,
  UnfreezeAssetContract: 14,
  UpdateAssetContract: 15,
  ProposalCreateContract: 16,
  ProposalApproveContract: 17,
  ProposalDeleteContract: 18,
  SetAccountIdContract: 19,
  CustomContract: 20,
  CreateSmartContract: 30,
  TriggerSmartContract: 31,
  GetContract: 32,
  UpdateSettingContract: 33,
  ExchangeCreateContract: 41,
  ExchangeInjectContract: 42,
  ExchangeWithdrawContract: 43,
  ExchangeTransactionContract: 44,
  UpdateEnergyLimitContract: 45,
  AccountPermissionUpdateContract: 46,
  ClearABIContract: 48,
  UpdateBrokerageContract: 49,
  ShieldedTransferContract: 51,
  MarketSellAssetContract: 52,
  MarketCancelOrderContract: 53,
  FreezeBalanceV2Contract: 54,
  UnfreezeBalanceV2Contract: 55,
  WithdrawExpireUnfreezeContract: 56,
  DelegateResourceContract: 57,
  UnDelegateResourceContract: 58,
  CancelAllUnfreezeV2Contract: 59,
} as const;

const contractResults = {
  DEFAULT: 0,
  SUCCESS: 1,
  REVERT: 2,
  BAD_JUMP_DESTINATION: 3,
  OUT_OF_MEMORY: 4,
  PRECOMPILED_CONTRACT: 5,
  STACK_TOO_SMALL: 6,
  STACK_TOO_LARGE: 7,
  ILLEGAL_OPERATION: 8,
  STACK_OVERFLOW: 9,
  OUT_OF_ENERGY: 10,
  OUT_OF_TIME: 11,
  JVM_STACK_OVER_FLOW: 12,
  UNKNOWN: 13,
  TRANSFER_FAILED: 14,
  INVALID_CODE: 15,
} as const;
export type ContractResult = keyof typeof contractResults;

const contract = {
  type: [1, contractTypes],
  parameter: [2, { type_url: [1, "string"], value: [2, "bytes"] }],
  Permission_id: [5, "int"],
} as const satisfies Schema;

export const rawData = {
  ref_block_bytes: [1, "bytes"],
  ref_block_num: [3, "int"],
  ref_block_hash: [4, "bytes"],
  expiration: [8, "int"],
  data: [10, "bytes"],
  contract: [11, contract, "repeated"],
  scripts: [12, "bytes"],
  timestamp: [14, "int"],
  fee_limit: [18, "int"],
} as const satisfies Schema;
export type RawData = MessageOf<typeof rawData>;

export const transactionResult = {
  fee: [1, "int"],
  contractRet: [3, contractResults],
} as const satisfies Schema;

/** A transaction whose raw data stays as it was signed. */
export const transactionEnvelope = {
  raw_data: [1, "bytes"],
  signature: [2, "bytes", "repeated"],
  ret: [5, transactionResult, "repeated"],
} as const satisfies Schema;

export const blockHeaderRaw = {
  timestamp: [1, "int"],
  txTrieRoot: [2, "bytes"],
  parentHash: [3, "bytes"],
  number: [7, "int"],
  witness_id: [8, "int"],
  witness_address: [9, "address"],
  version: [10, "int"],
} as const satisfies Schema;

export const log = {
  address: [1, "address"],
  topics: [2, "bytes", "repeated"],
  data: [3, "bytes"],
} as const satisfies Schema;

export const internalTransaction = {
  hash: [1, "bytes"],
  caller_address: [2, "address"],
  transferTo_address: [3, "address"],
  callValueInfo: [4, { callValue: [1, "int"], tokenId: [2, "string"] }, "repeated"],
  note: [5, "bytes"],
  rejected: [6, "bool"],
} as const satisfies Schema;
export type InternalTransaction = MessageOf<typeof internalTransaction>;

export const transactionInfo = {
  id: [1, "bytes"],
  fee: [2, "int"],
  blockNumber: [3, "int"],
  blockTimeStamp: [4, "int"],
  contractResult: [5, "bytes", "repeated"],
  contract_address: [6, "address"],
  receipt: [
    7,
    {
      energy_usage: [1, "int"],
      energy_fee: [2, "int"],
      origin_energy_usage: [3, "int"],
      energy_usage_total: [4, "int"],
      net_usage: [5, "int"],
      net_fee: [6, "int"],
      result: [7, contractResults],
      energy_penalty_total: [8, "int"],
    },
  ],
  log: [8, log, "repeated"],
  result: [9, { SUCESS: 0, FAILED: 1 }],
  resMessage: [10, "name"],
  unfreeze_amount: [16, "int"],
  internal_transactions: [17, internalTransaction, "repeated"],
} as const satisfies Schema;
export type TransactionInfo = MessageOf<typeof transactionInfo>;
export type Log = MessageOf<typeof log>;
