import { internalTransaction, log, resources } from "./messages.ts";
import type { Schema } from "./wire.ts";

/* Answers of node calls that are protobuf messages themselves (`api/api.proto`, `core/Tron.proto`). */

export const nodeReturn = {
  result: [1, "bool"],
  code: [
    2,
    {
      SUCCESS: 0,
      SIGERROR: 1,
      CONTRACT_VALIDATE_ERROR: 2,
      CONTRACT_EXE_ERROR: 3,
      BANDWITH_ERROR: 4,
      DUP_TRANSACTION_ERROR: 5,
      TAPOS_ERROR: 6,
      TOO_BIG_TRANSACTION_ERROR: 7,
      TRANSACTION_EXPIRATION_ERROR: 8,
      SERVER_BUSY: 9,
      OTHER_ERROR: 20,
    },
  ],
  message: [3, "name"],
} as const satisfies Schema;
export type ReturnCode = keyof (typeof nodeReturn)["code"][1];

export const transactionExtension = {
  constant_result: [3, "bytes", "repeated"],
  result: [4, nodeReturn],
  energy_used: [5, "int"],
  logs: [6, log, "repeated"],
  internal_transactions: [7, internalTransaction, "repeated"],
  energy_penalty: [8, "int"],
} as const satisfies Schema;

const key = { address: [1, "address"], weight: [2, "int"] } as const satisfies Schema;
export const permission = {
  type: [1, { Owner: 0, Witness: 1, Active: 2 }],
  id: [2, "int"],
  permission_name: [3, "string"],
  threshold: [4, "int"],
  operations: [6, "bytes"],
  keys: [7, key, "repeated"],
} as const satisfies Schema;

export const account = {
  account_name: [1, "name"],
  type: [2, { Normal: 0, AssetIssue: 1, Contract: 2 }],
  address: [3, "address"],
  balance: [4, "int"],
  net_usage: [8, "int"],
  create_time: [9, "int"],
  latest_opration_time: [10, "int"],
  free_net_usage: [19, "int"],
  latest_consume_time: [21, "int"],
  latest_consume_free_time: [22, "int"],
  net_window_size: [24, "int"],
  net_window_optimized: [25, "bool"],
  account_resource: [
    26,
    {
      energy_usage: [1, "int"],
      latest_consume_time_for_energy: [3, "int"],
      energy_window_size: [9, "int"],
      delegated_frozenV2_balance_for_energy: [10, "int"],
      acquired_delegated_frozenV2_balance_for_energy: [11, "int"],
      energy_window_optimized: [12, "bool"],
    },
  ],
  owner_permission: [31, permission],
  active_permission: [33, permission, "repeated"],
  frozenV2: [34, { type: [1, resources], amount: [2, "int"] }, "repeated"],
  unfrozenV2: [
    35,
    { type: [1, resources], unfreeze_amount: [3, "int"], unfreeze_expire_time: [4, "int"] },
    "repeated",
  ],
  delegated_frozenV2_balance_for_bandwidth: [36, "int"],
  acquired_delegated_frozenV2_balance_for_bandwidth: [37, "int"],
  asset_optimized: [60, "bool"],
} as const satisfies Schema;

export const accountResource = {
  freeNetUsed: [1, "int"],
  freeNetLimit: [2, "int"],
  NetUsed: [3, "int"],
  NetLimit: [4, "int"],
  TotalNetLimit: [7, "int"],
  TotalNetWeight: [8, "int"],
  TotalTronPowerWeight: [9, "int"],
  tronPowerUsed: [10, "int"],
  tronPowerLimit: [11, "int"],
  EnergyUsed: [13, "int"],
  EnergyLimit: [14, "int"],
  TotalEnergyLimit: [15, "int"],
  TotalEnergyWeight: [16, "int"],
} as const satisfies Schema;

export const delegatedResource = {
  from: [1, "address"],
  to: [2, "address"],
  frozen_balance_for_bandwidth: [3, "int"],
  frozen_balance_for_energy: [4, "int"],
  expire_time_for_bandwidth: [5, "int"],
  expire_time_for_energy: [6, "int"],
} as const satisfies Schema;
