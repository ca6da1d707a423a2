import { formatTimestamp } from "../../../platform/kernel/timestamp.ts";
import { epochLength } from "../genesis.ts";
import type { Node } from "../node.ts";
import type { PrintableObject } from "../print-json.ts";
import { printTip } from "../print-values.ts";
import { timeText } from "./ledger-state.ts";

/** What `/health` answers; 202 while the node catches up. */
export function health(node: Node): { readonly status: number; readonly body: PrintableObject } {
  const { ledger } = node;
  const synchronization = node.synchronization();
  const slot = ledger.tip()?.slot ?? 0;
  const unknown = { mean: 0, min: 0, max: 0 };
  return {
    status: synchronization < 1 ? 202 : 200,
    body: {
      startTime: timeText(ledger.startTime),
      lastKnownTip: printTip(ledger.tip()),
      lastTipUpdate: formatTimestamp(node.tipChangedAt()),
      networkSynchronization: synchronization,
      currentEra: "conway",
      metrics: {
        runtimeStats: { maxHeapSize: 0, currentHeapSize: 0, cpuTime: 0, gcCpuTime: 0 },
        sessionDurations: unknown,
        totalConnections: 0,
        totalMessages: 0,
        totalUnrouted: 0,
        activeConnections: 0,
      },
      connectionStatus: "connected",
      currentEpoch: Math.floor(slot / epochLength),
      slotInEpoch: slot % epochLength,
      version: "v6.14.0 (simulated)",
      network: null,
    },
  };
}
