import { beforeEach, describe, expect, it } from "vitest";
import { apiServer, owner, stranger } from "../../../test/support/api-server.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeAccounts, arrangeCallbacks } from "../../../test/support/dispatching.ts";
import type { Principal } from "../../accounts/principal.ts";
import { relayEvents } from "../../callbacks/events/event-feed.ts";
import { eventRoutes } from "./event.ts";

const database = useDatabase();
const api = apiServer(eventRoutes({ db: database.db }));

beforeEach(async () => {
  await database.sql("truncate callback, event, event_feed cascade");
  await arrangeAccounts(database, ["1", "2"]);
});

function arrange(depositId: string, walletId: string, accountId = "1"): Promise<void> {
  const data = {
    type: "deposit",
    id: depositId,
    attributes: { tracking_id: "t" },
    relationships: { wallet: { data: { type: "wallet", id: walletId } } },
  };
  const payload = { data, included: [] };
  return arrangeCallbacks(database.db, [[depositId, "https://shop.example/"]], {
    accountId,
    payload,
  });
}

async function feed(query = "", as: Principal = owner): Promise<string[]> {
  const { resources } = await api.ask("GET", `/event/?${query}`, { as });
  return resources.map((event) => `${event.id}:${event.attributes["object_id"] as string}`);
}

describe("the event feed", () => {
  it("contains numbered events only, oldest first", async () => {
    await arrange("21", "1");
    await arrange("22", "2");
    expect(await feed()).toEqual([]);
    await relayEvents(database);
    await arrange("23", "1");
    expect(await feed()).toEqual(["1:21", "2:22"]);
    await relayEvents(database);
    expect(await feed("filter[after]=0")).toEqual(["1:21", "2:22", "3:23"]);
    expect(await feed("filter[after]=1")).toEqual(["2:22", "3:23"]);
    expect(await feed("filter[after]=1&page[size]=1")).toEqual(["2:22"]);
    expect(await feed("filter[after]=3")).toEqual([]);
    expect(await feed("page[after]=&page[size]=2")).toEqual(["1:21", "2:22"]);
    expect(await feed("filter[object_id]=23")).toEqual(["3:23"]);
    for (const text of ["x", "-1", "1.5", "01"]) {
      expect((await api.ask("GET", `/event/?filter[after]=${text}`)).status).toBe(400);
    }
  });

  it("returns the payload of the callback", async () => {
    await arrange("21", "1");
    await relayEvents(database);
    const { one } = await api.ask("GET", "/event/1/");
    expect(one).toMatchObject({
      type: "event",
      id: "1",
      attributes: {
        seq: 1,
        trigger: "status",
        object_type: "deposit",
        object_id: "21",
        transfer_id: null,
        payload: { data: { type: "deposit", id: "21" }, included: [] },
      },
    });
    expect((await api.ask("GET", "/event/2/")).status).toBe(404);
  });

  it("is separate for each account, and omits wallets not granted to a member", async () => {
    await arrange("21", "1");
    await arrange("31", "5", "2");
    await arrange("22", "2");
    await relayEvents(database);
    const clerk: Principal = {
      ...owner,
      memberId: "2",
      wallets: new Map([["2", { mayPay: false }]]),
    };
    expect(await feed("", clerk)).toEqual(["2:22"]);
    expect(await feed("", stranger)).toEqual(["1:31"]);
    const { status, errors } = await api.ask("GET", "/event/1/", { as: clerk });
    expect([status, errors[0]?.code]).toEqual([400, "5001"]);
  });
});
