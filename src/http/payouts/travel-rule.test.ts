import { beforeEach, describe, expect, it } from "vitest";
import { classicAddressToXAddress } from "xrpl";
import { apiServer } from "../../../test/support/api-server.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { created, depositApi, postDeposit, testSeal } from "../../../test/support/deposit-api.ts";
import {
  arrangeWallet,
  depositWorld,
  fillPool,
  ownerOf,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import {
  fund,
  payee,
  payoutSeal,
  payoutWorld,
  postPayout,
  receiver,
} from "../../../test/support/payout-world.ts";
import type { Role } from "../../accounts/principal.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { travelRuleRoutes } from "./travel-rule.ts";

/*
 * Travel-rule data of payouts and deposits as IVMS101, with the real routes, seal and database: both versions, and who may view them.
 * src/payouts/travel-rule/export-ivms101.test.ts tests the payloads.
 */

const database = useDatabase();
const world = depositWorld(database);
const payouts = payoutWorld(world);
const deposits = depositApi(world);
const ofPayouts = apiServer(travelRuleRoutes({ db: database.db, seal: payoutSeal }));
const ofDeposits = apiServer(travelRuleRoutes({ db: database.db, seal: testSeal }));
let wallet: Wallet;
beforeEach(async () => {
  wallet = await arrangeWallet(world);
  await fund(world, wallet, "10");
  await fillPool(world, "evm", "", 5);
});

const makePayout = async (info: JsonValue = receiver) =>
  created(await postPayout(payouts, wallet, { attributes: { travel_rule_info: info } })).id;
const ask = (url: string, as = ownerOf(wallet.accountId)) => ofPayouts.ask("GET", url, { as });

describe("GET /payout/{id}/travel-rule/", () => {
  it("exports a payout in both versions, by default in the newer one", async () => {
    const url = `/payout/${await makePayout()}/travel-rule/`;
    const newer = await ask(url);
    expect(newer.one).toMatchObject({
      type: "travel-rule",
      attributes: {
        format: "ivms101-2023",
        ivms101: {
          beneficiary: {
            beneficiaryPerson: [
              {
                naturalPerson: {
                  name: {
                    nameIdentifier: [
                      {
                        primaryIdentifier: "Doe",
                        secondaryIdentifier: "Jo",
                        naturalPersonNameIdentifierType: "LEGL",
                      },
                    ],
                  },
                },
                accountNumber: [payee],
              },
            ],
          },
          payloadMetadata: { payloadVersion: "101.2023" },
        },
      },
    });
    expect((await ask(`${url}?format=ivms101-2023`)).document).toEqual(newer.document);
    const older = await ask(`${url}?format=ivms101-2020`);
    expect(older.one.attributes).toMatchObject({
      format: "ivms101-2020",
      ivms101: { beneficiary: { beneficiaryPersons: [{}], accountNumber: [payee] } },
    });
  });

  it("reports what the standard requires and the data lacks", async () => {
    const info = {
      beneficiary: {
        beneficiaryPersons: [
          {
            legalPerson: {
              name: {
                nameIdentifier: [{ legalPersonName: "CBA", legalPersonNameIdentifierType: "TRAD" }],
              },
              geographicAddress: [{ addressLine: ["1 Main St"], addressType: "BIZZ" }],
            },
          },
        ],
      },
    };
    const { document } = await ask(`/payout/${await makePayout(info)}/travel-rule/`);
    const at = "/beneficiary/beneficiaryPerson/0/legalPerson";
    expect(document["meta"]).toEqual({
      is_complete: false,
      gaps: [
        { gap: "no_legal_name", pointer: `${at}/name` },
        { gap: "no_town", pointer: `${at}/geographicAddress/0/townName` },
      ],
    });
  });

  it("allows only roles and wallets that may view it, in the caller's account", async () => {
    const url = `/payout/${await makePayout()}/travel-rule/`;
    const owner = ownerOf(wallet.accountId);
    const statusFor = async (role: Role) => (await ask(url, { ...owner, role })).status;
    for (const role of ["owner", "admin", "withdrawals", "withdrawals_with_approval"] as const) {
      expect(await statusFor(role)).toBe(200);
    }
    const denied = ["403", "permission_denied"];
    expect(faults(await ask(url, { ...owner, role: "read_only" }))).toEqual(denied);
    expect(faults(await ask(url, { ...owner, wallets: new Map() }))).toEqual(["400", "5001"]);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    expect(faults(await ask(url, stranger))).toEqual(["404", "404"]);
    expect(faults(await ask("/payout/99999999/travel-rule/"))).toEqual(["404", "404"]);
  });

  it("rejects unknown formats", async () => {
    const url = `/payout/${await makePayout()}/travel-rule/`;
    for (const format of ["ivms101", "", "IVMS101-2020"]) {
      expect(faults(await ask(`${url}?format=${format}`))).toEqual(["400", "1007 format"]);
    }
    expect(faults(await ask(`${url}?form=ivms101-2020`))).toEqual(["400", "1007 form"]);
  });
});

describe("travel_rule_info of a request", () => {
  const odd = { "note\u0000": "x", note: "a\u0000b", list: [{ name: "\ud800" }] };
  const [person] = receiver.beneficiary.beneficiaryPersons;
  const infoOf = (members: JsonObject): JsonObject => ({
    beneficiary: {
      beneficiaryPersons: [{ naturalPerson: { ...person.naturalPerson, ...members } }],
    },
  });
  const named = (primaryIdentifier: string): JsonObject =>
    infoOf({ name: [{ nameIdentifier: [{ primaryIdentifier, secondaryIdentifier: "Jo" }] }] });

  it("may hold unknown members, also with texts that no database stores", async () => {
    const travel_rule_info = { ...odd, ...infoOf(odd) };
    const payout = await postPayout(payouts, wallet, { attributes: { travel_rule_info } });
    expect(created(payout).attributes["travel_rule_info"]).toEqual(receiver);
    created(await postDeposit(deposits, wallet, { travel_rule_info }));
  });

  it("may not hold such a text in a member that is read", async () => {
    const at =
      "1007 /data/attributes/travel_rule_info/beneficiary/beneficiaryPersons/0/naturalPerson/name/0/nameIdentifier/0/primaryIdentifier";
    for (const text of ["a\u0000b", "\ud800"]) {
      const attributes = { label: "\u0000", travel_rule_info: named(text) };
      const both = ["400", "1007 /data/attributes/label", at];
      expect(faults(await postPayout(payouts, wallet, { attributes }))).toEqual(both);
      expect(faults(await postDeposit(deposits, wallet, attributes))).toEqual(both);
    }
  });
});

describe("GET /deposit/{id}/travel-rule/", () => {
  it("exports the receiver with the deposit's address, and returns 404 without travel-rule data", async () => {
    const attributes = { travel_rule_info: receiver } satisfies JsonObject;
    const given = created(await postDeposit(deposits, wallet, attributes));
    const none = created(await postDeposit(deposits, wallet));
    const as = ownerOf(wallet.accountId);
    const exported = (id: string, who = as) =>
      ofDeposits.ask("GET", `/deposit/${id}/travel-rule/`, { as: who });
    expect((await exported(given.id)).one.attributes["ivms101"]).toMatchObject({
      beneficiary: {
        beneficiaryPerson: [{ accountNumber: [given.attributes["address"] as string] }],
      },
    });
    // An X-address contains the tag already.
    const account = "rGFuMiw48HdbnrUbkRYuitXTmfrDBNTCnX";
    await database.sql("update deposit set address = $2, tag = '7' where id = $1", [
      given.id,
      classicAddressToXAddress(account, 7, false),
    ]);
    expect((await exported(given.id)).one.attributes["ivms101"]).toMatchObject({
      beneficiary: { beneficiaryPerson: [{ accountNumber: [`${account}:7`] }] },
    });
    expect(faults(await exported(none.id))).toEqual(["404", "404"]);
    const reader = { ...as, role: "read_only" as const };
    expect(faults(await exported(given.id, reader))).toEqual(["403", "permission_denied"]);
  });
});
