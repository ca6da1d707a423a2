import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { type FilterName, type ResourceOf } from "../../platform/resources/define-resource.ts";
import type {
  ReceivedDelivery,
  Receiver,
  Simulator,
  SimulatorAction,
} from "../../sandbox/simulator.ts";
import { actionRoute, getRoute, listRoute, type Route } from "../server/route.ts";
import {
  actionResource,
  deliveryResource,
  newBlocks,
  newPayment,
  newReceiver,
  newReorg,
  receiverResource,
} from "./simulator-definitions.ts";

const forOwner = "Sandbox only, for the Owner of the demo account.";

/** `/simulator/`: acts as payer, miner and callback receiver in a sandbox. A deployment has no such routes. */
export function simulatorRoutes(simulator: Simulator): readonly Route[] {
  return [...doingRoutes(simulator), ...receivingRoutes(simulator)];
}

function doingRoutes(simulator: Simulator): readonly Route[] {
  return [
    actionRoute({
      path: "/simulator/payment/",
      summary: "Pay a deposit as a payer",
      description: `Exactly, too little, too much, too late, twice or with another token. ${forOwner}`,
      resource: actionResource,
      document: newPayment,
      act: async ({ principal }, { deposit, story, amount }) => {
        const done = await simulator.pay(principal, { depositId: deposit, story, amount });
        return done === null ? null : renderAction(done);
      },
    }),
    actionRoute({
      path: "/simulator/block/",
      summary: "Mine blocks",
      description: forOwner,
      resource: actionResource,
      document: newBlocks,
      act: async ({ principal }, { chain, count }) =>
        renderAction(await simulator.mine(principal, chain, count ?? 1)),
    }),
    actionRoute({
      path: "/simulator/reorg/",
      summary: "Replace the newest blocks",
      description: forOwner,
      resource: actionResource,
      document: newReorg,
      act: async ({ principal }, { chain, depth, transactions }) =>
        renderAction(await simulator.reorg(principal, chain, depth, transactions ?? "wait")),
    }),
    listRoute({
      path: "/simulator/action/",
      summary: "List simulator actions",
      description: forOwner,
      resource: actionResource,
      list: ({ principal }, query) =>
        Promise.resolve(
          mapPage(listInMemory(simulator.actions(principal), actionList, query), renderAction),
        ),
    }),
  ];
}

function receivingRoutes(simulator: Simulator): readonly Route[] {
  return [
    getRoute({
      path: "/simulator/receiver/",
      summary: "Get the sandbox callback receiver",
      description: forOwner,
      resource: receiverResource,
      find: ({ principal }) => Promise.resolve(renderReceiver(simulator.receiver(principal))),
    }),
    actionRoute({
      path: "/simulator/receiver/",
      summary: "Set how the sandbox's receiver of callbacks answers",
      description: forOwner,
      resource: receiverResource,
      document: newReceiver,
      act: ({ principal }, { answer }) =>
        Promise.resolve(renderReceiver(simulator.setReceiver(principal, answer))),
    }),
    listRoute({
      path: "/simulator/delivery/",
      summary: "List received callbacks",
      description: forOwner,
      resource: deliveryResource,
      list: ({ principal }, query) =>
        Promise.resolve(
          mapPage(
            listInMemory(simulator.deliveries(principal), deliveryList, query),
            renderDelivery,
          ),
        ),
    }),
  ];
}

const actionList: MemoryList<SimulatorAction, FilterName<typeof actionResource>> = {
  id: ({ id }) => id,
  filters: {
    deposit: ({ depositId }, text) => depositId === text,
    chain: ({ chain }, text) => chain === text,
  },
  sort: {},
};
const deliveryList: MemoryList<ReceivedDelivery, FilterName<typeof deliveryResource>> = {
  id: ({ id }) => id,
  filters: {
    object_id: ({ objectId }, text) => objectId === text,
  },
  sort: {},
};

function renderAction(action: SimulatorAction): ResourceOf<typeof actionResource> {
  return {
    type: "simulator-action",
    id: action.id,
    attributes: {
      kind: action.kind,
      story: action.story,
      chain: action.chain,
      currency: action.currency,
      amount: action.amount,
      txid: action.txid,
      height: action.height,
      text: action.text,
      created_at: formatTimestamp(action.at),
    },
    relationships: { deposit: toOne("deposit", action.depositId) },
  };
}

function renderReceiver({ url, answer }: Receiver): ResourceOf<typeof receiverResource> {
  return { type: "simulator-receiver", id: "1", attributes: { url, answer } };
}

function renderDelivery(delivery: ReceivedDelivery): ResourceOf<typeof deliveryResource> {
  return {
    type: "simulator-delivery",
    id: delivery.id,
    attributes: {
      answer: delivery.answer,
      webhook_id: delivery.webhookId,
      is_genuine: delivery.isGenuine,
      fault: delivery.fault,
      object_type: delivery.objectType,
      object_id: delivery.objectId,
      body: delivery.body,
      created_at: formatTimestamp(delivery.at),
    },
  };
}
