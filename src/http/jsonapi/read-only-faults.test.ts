import { describe, expect, it } from "vitest";
import { faults } from "../../../test/support/faults.ts";
import { useDeposits } from "../../../test/support/use-deposits.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/* A PATCH that names read-only members, over the real server and database. */

const { account, ask, make } = useDeposits();

const patch = (id: string, data: JsonObject) =>
  ask("PATCH", `/deposit/${id}/`, account.owner, { data: { type: "deposit", id, ...data } });

describe("a PATCH with read-only members", () => {
  it("returns 400/1007 for each that differs, together with the other faults, and changes nothing", async () => {
    const { id } = await make({ label: "Old" });
    const answer = await patch(id, {
      attributes: {
        label: "x".repeat(33),
        status: 3,
        address: "x",
        callback_url: "https://a.example/",
      },
      relationships: { wallet: { data: { type: "wallet", id: "99999" } } },
    });
    expect(faults(answer)).toEqual([
      "400",
      "1007 /data/attributes/address",
      "1007 /data/attributes/callback_url",
      "1007 /data/attributes/label",
      "1007 /data/attributes/status",
      "1007 /data/relationships/wallet",
    ]);
    const { one } = await ask("GET", `/deposit/${id}/`);
    expect(one.attributes["label"]).toBe("Old");
  });

  it("accepts the whole resource sent back with one change", async () => {
    const { id } = await make({ label: "Old" });
    const { one } = await ask("GET", `/deposit/${id}/`);
    const answer = await patch(id, {
      attributes: { ...one.attributes, label: "New" },
      relationships: one.relationships,
    });
    expect([answer.status, answer.one.attributes["label"]]).toEqual([200, "New"]);
  });

  it("accepts an unchanged number as text, and however it is written", async () => {
    const { id, walletId } = await make();
    expect((await patch(id, { attributes: { status: "2" } })).status).toBe(200);
    const send = (status: string) =>
      ask(
        "PATCH",
        `/deposit/${id}/`,
        account.owner,
        `{"data":{"type":"deposit","id":${id}.0,"attributes":{"status":${status}},"relationships":{"wallet":{"data":{"type":"wallet","id":${walletId}.0}}}}}`,
      );
    for (const status of ["2.0", "2e0"]) expect((await send(status)).status).toBe(200);
    for (const status of ["2.5", "2e1", "2.00000000000000000001"])
      expect(faults(await send(status))).toEqual(["400", "1007 /data/attributes/status"]);
  });

  it("ignores members that no deposit has", async () => {
    const { id } = await make();
    expect((await patch(id, { attributes: { color: "red" } })).status).toBe(200);
  });

  it("returns 404 for an unknown deposit", async () => {
    expect((await patch("99999999", { attributes: { status: 3 } })).status).toBe(404);
  });
});
