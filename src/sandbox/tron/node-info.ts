import { witnessAddresses } from "./block.ts";
import type { Json } from "./json.ts";
import { validateAddress } from "./read-accounts.ts";
import { type NodeRequest, printAddress, type Routes, textIn } from "./routes.ts";

/* A node's information about itself and its chain's rules. */

export const priceRoutes: Routes = {
  getenergyprices: ({ ledger }) => ({ prices: ledger.settings().energyPrices }),
  getbandwidthprices: ({ ledger }) => ({ prices: ledger.settings().bandwidthPrices }),
  getnodeinfo: describeNode,
};

/** What only the full node answers. */
export const ruleRoutes: Routes = {
  getchainparameters: ({ ledger }) => ({
    chainParameter: Object.entries(ledger.settings().parameters).map(([key, value]) =>
      value === 0n ? { key } : { key, value },
    ),
  }),
  getmemofee: ({ ledger }) => ({ prices: `0:${ledger.settings().parameters.getMemoFee}` }),
  validateaddress: (request) => validateAddress(textIn(request, "address")),
  listnodes: () => ({}),
  listwitnesses: ({ visible }) => ({
    witnesses: witnessAddresses.map((address) => ({
      address: printAddress(address, visible),
      url: "http://127.0.0.1",
      isJobs: true,
    })),
  }),
};

function describeNode({ ledger }: NodeRequest): Json {
  const head = ledger.head();
  const solid = ledger.solid();
  return {
    beginSyncNum: head.number,
    block: `Num:${head.number},ID:${head.id}`,
    solidityBlock: `Num:${solid.number},ID:${solid.id}`,
    currentConnectCount: 0,
    activeConnectCount: 0,
    passiveConnectCount: 0,
    totalFlow: 0,
    peerList: [],
    configNodeInfo: {
      codeVersion: "4.8.1",
      versionNum: "18636",
      p2pVersion: "11111",
      listenPort: 18888,
      discoverEnable: false,
      activeNodeSize: 0,
      passiveNodeSize: 0,
      sendNodeSize: 0,
      maxConnectCount: 30,
      sameIpMaxConnectCount: 2,
      backupListenPort: 10001,
      backupMemberSize: 0,
      backupPriority: 8,
      dbVersion: 2,
      minParticipationRate: 15,
      supportConstant: true,
      minTimeRatio: 0,
      maxTimeRatio: 5,
      allowCreationOfContracts: 1,
      allowAdaptiveEnergy: 0,
    },
    machineInfo: {
      threadCount: 1,
      deadLockThreadCount: 0,
      cpuCount: 1,
      totalMemory: 0,
      freeMemory: 0,
      cpuRate: 0,
      javaVersion: "",
      osName: "simulated",
      jvmTotalMemory: 0,
      jvmFreeMemory: 0,
      processCpuRate: 0,
      memoryDescInfoList: [],
      deadLockThreadInfoList: [],
    },
    cheatWitnessInfoMap: {},
  };
}
