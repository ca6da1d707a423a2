import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Methods, Node } from "./node.ts";
import type { Settings } from "./settings.ts";

const buildVersion = "3.4.0";
/** Levels compare fees of different kinds of transactions; this is the one of the base fee. */
const referenceLevel = 256n;
const medianFee = 5_000n;

/** Methods about the server and its network. */
export const serverMethods: Methods = {
  ping: () => ({}),
  server_info: ({ node }) => {
    const { hash, index } = node.ledger.newest();
    const { baseFee, reserveBase, reserveIncrement } = node.ledger.settings();
    return {
      info: {
        ...commonState(node),
        load_factor: 1,
        validated_ledger: {
          age: 1,
          base_fee_xrp: xrpNumber(baseFee),
          hash,
          reserve_base_xrp: xrpNumber(reserveBase),
          reserve_inc_xrp: xrpNumber(reserveIncrement),
          seq: index,
        },
      },
    };
  },
  server_state: ({ node }) => {
    const { closeTime, hash, index } = node.ledger.newest();
    const { baseFee, reserveBase, reserveIncrement } = node.ledger.settings();
    return {
      state: {
        ...commonState(node),
        load_base: 256,
        load_factor: 256,
        validated_ledger: {
          base_fee: Number(baseFee),
          close_time: closeTime,
          hash,
          reserve_base: Number(reserveBase),
          reserve_inc: Number(reserveIncrement),
          seq: index,
        },
      },
    };
  },
  fee: ({ node: { ledger } }) => {
    const { count, index, settings } = ledger.open();
    return {
      current_ledger_size: String(count),
      current_queue_size: "0",
      drops: feesOf(settings),
      expected_ledger_size: "1000",
      ledger_current_index: index,
      levels: {
        median_level: String(levelOf(medianFee, settings)),
        minimum_level: String(referenceLevel),
        open_ledger_level: String(levelOf(settings.openLedgerFee, settings)),
        reference_level: String(referenceLevel),
      },
      max_queue_size: "20000",
    };
  },
};

function feesOf({ baseFee, openLedgerFee }: Settings): JsonObject {
  return {
    base_fee: String(baseFee),
    median_fee: String(medianFee),
    minimum_fee: String(baseFee),
    open_ledger_fee: String(openLedgerFee),
  };
}

function levelOf(fee: bigint, { baseFee }: Settings): bigint {
  return (fee * referenceLevel) / baseFee;
}

function commonState(node: Node): JsonObject {
  const { networkId } = node.ledger.settings();
  return {
    build_version: buildVersion,
    complete_ledgers: node.completeLedgers(),
    network_id: networkId,
    peers: 0,
    server_state: "full",
    validation_quorum: 1,
  };
}

/** Drops as a number of XRP, as `server_info` answers them. */
function xrpNumber(drops: bigint): number {
  return Number(`${drops}e-6`);
}
