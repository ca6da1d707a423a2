import type { Principal } from "../../accounts/principal.ts";
import { classicAddress, readXAddress } from "../../currencies/xrpl-address.ts";
import { createReadDeposit, readDepositTravelRule } from "../../deposits/read-deposits.ts";
import { readPayout, readTravelRule } from "../../payouts/read-payouts.ts";
import {
  exportIvms101,
  type IvmsFormat,
  ivmsFormats,
} from "../../payouts/travel-rule/export-ivms101.ts";
import { mayViewTravelRule, type TravelRuleInfo } from "../../payouts/travel-rule/travel-rule.ts";
import type { Database } from "../../platform/db/database.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import { text } from "../../platform/resources/json-schema.ts";
import { type One, type Route, viewRoute } from "../server/route.ts";

const travelRuleDefinition = defineResource({
  type: "travel-rule",
  description: "The receiver as an IVMS101 payload. The sender adds originator and VASPs.",
  attributes: { format: text, ivms101: { type: "object" } },
});

const latest: IvmsFormat = "ivms101-2023";

const parameters = {
  format: { choices: ivmsFormats, description: `Version of the standard; default ${latest}.` },
};

/** Exports of travel-rule data of payouts and deposits as IVMS101, for the roles that may view it. */
export function travelRuleRoutes(context: {
  readonly db: Database;
  readonly seal: Seal;
}): readonly Route[] {
  const { db, seal } = context;
  const readDeposit = createReadDeposit(db);
  const shared = { resource: travelRuleDefinition, parameters };
  return [
    viewRoute({
      ...shared,
      path: "/payout/{id}/travel-rule/",
      summary: "Export a payout's travel-rule data",
      description: "`meta.gaps` lists what the standard requires and the data lacks.",
      view: async ({ principal, id, params }) => {
        assertMaySee(principal);
        const payout = await readPayout(db, principal, id);
        if (payout === null) return null;
        const info = readTravelRule(payout, principal, seal) as TravelRuleInfo | null;
        return exported(id, info, payout, params["format"]);
      },
    }),
    viewRoute({
      ...shared,
      path: "/deposit/{id}/travel-rule/",
      summary: "Export a deposit's travel-rule data",
      description: "Returns 404 without travel-rule data. `meta.gaps` is the same as for payouts.",
      view: async ({ principal, id, params }) => {
        assertMaySee(principal);
        const deposit = await readDeposit(principal, id);
        if (deposit === null) return null;
        const info = await readDepositTravelRule(db, seal, deposit);
        return exported(id, info, deposit, params["format"]);
      },
    }),
  ];
}

function assertMaySee(principal: Principal): void {
  if (!mayViewTravelRule(principal)) {
    reject("permissionDenied", "Your role can't view travel rule data.");
  }
}

/** An X-address contains the tag that the standard writes beside the account, so the classic address stands for it. */
function accountOf(address: string, tag: string | null): string {
  const spelled = readXAddress(address);
  const account = spelled === null ? address : classicAddress(spelled.accountId);
  const stated = tag ?? spelled?.tag ?? null;
  return stated === null ? account : `${account}:${stated}`;
}

/** Null without travel-rule data. */
function exported(
  id: string,
  info: TravelRuleInfo | null,
  { address, tag }: { readonly address: string | null; readonly tag: string | null },
  formatName: string | undefined,
): One<typeof travelRuleDefinition> | null {
  if (info === null) return null;
  const format = ivmsFormats.find((name) => name === formatName) ?? latest;
  const account = address === null ? null : accountOf(address, tag);
  const { ivms101, gaps } = exportIvms101(info, account, format);
  const meta: JsonObject = {
    is_complete: gaps.length === 0,
    gaps: gaps.map((gap) => ({ ...gap })),
  };
  return {
    data: { type: "travel-rule", id, attributes: { format, ivms101 }, relationships: {} },
    meta,
  };
}
