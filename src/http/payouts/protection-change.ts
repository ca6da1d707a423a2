import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { askForChange, waitingMax } from "../../payouts/protection/ask-for-change.ts";
import {
  approveChange,
  rejectChange,
  withdrawChange,
} from "../../payouts/protection/decide-change.ts";
import {
  type ProtectionChange,
  protectionKinds,
  protectionStatuses,
} from "../../payouts/protection/protection-change.ts";
import {
  protectionFilters,
  protectionSort,
} from "../../payouts/protection/protection-change-filters.ts";
import {
  type ProtectionContext,
  requireProtector,
} from "../../payouts/protection/protection-context.ts";
import { newProtectionChangeDocument } from "../../payouts/protection/protection-documents.ts";
import {
  findChange,
  listChanges,
  readProtection,
  type ShownChange,
  showChange,
} from "../../payouts/protection/read-changes.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  decimal,
  described,
  integer,
  type JsonSchema,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import {
  type ApiRequest,
  actionRoute,
  createRoute,
  getRoute,
  listRoute,
  type Route,
} from "../server/route.ts";

const actor: JsonSchema = {
  type: "object",
  required: ["id", "name"],
  properties: { id: text, name: text },
};

const changeResource = defineResource({
  type: "protection-change",
  description:
    "A change of the account's payout limits or allowlist, or of a travel-rule threshold. One that tightens applies at once. One that loosens waits for another Owner or Admin; where nobody else could approve it, it waits until applies_at.",
  attributes: {
    kind: oneOf(protectionKinds),
    status: oneOf(protectionStatuses),
    loosens: described(boolean, "Whether payouts could pass that could not before."),
    span: described(nullable(text), "Of a limit: transaction, hour or day."),
    amount: described(
      nullable(decimal),
      "The limit after the change; null if the wallet or account then has no limit of its own.",
    ),
    former_amount: described(
      nullable(decimal),
      "The limit before the change; null if the wallet or account had no limit of its own.",
    ),
    chain: nullable(text),
    address: described(nullable(text), "Of a payee, in canonical spelling."),
    tag: nullable(text),
    label: nullable(text),
    is_enforced: described(
      nullable(boolean),
      "Of allowlist: whether the account pays only to its allowlist after the change.",
    ),
    note: text,
    created_by: actor,
    created_at: timestamp,
    applies_at: described(
      nullable(timestamp),
      "When a waiting change applies by itself. Null: it needs another member's approval, or applied at once.",
    ),
    expires_at: described(nullable(timestamp), "Until when a waiting change can be approved."),
    decided_by: described(
      nullable(actor),
      "Null: nobody yet, the operator, or the service after the period.",
    ),
    decided_at: nullable(timestamp),
    may_approve: described(boolean, "Whether the caller may approve it now."),
    approve_refusal: described(
      {
        type: ["object", "null"],
        required: ["reason", "detail"],
        properties: { reason: text, detail: text },
      },
      "The reason why not: a code for programs and a sentence for people.",
    ),
    may_withdraw: described(boolean, "Whether the caller asked for it and it waits."),
  },
  relationships: {
    currency: { resource: "currency", nullable: true },
    wallet: { resource: "wallet", nullable: true },
  },
  filters: protectionFilters,
  sortable: protectionSort,
  defaultSort: "-created_at",
});

const protectionResource = defineResource({
  type: "protection",
  description: "How the account's payouts are protected besides its limits (/payout-limit/).",
  attributes: {
    is_allowlist_enforced: described(
      boolean,
      "Whether the account pays only to its allowlist (/payee/).",
    ),
    needs_approval: described(
      boolean,
      "Whether what the caller loosens waits for another member. False: nobody else could approve it, so it waits for wait_seconds.",
    ),
    wait_seconds: integer,
  },
});

const forProtectors = "For Owners and Admins who see all wallets.";
const confirmed =
  "For people who are Owner or Admin, see all wallets, and entered their password or second factor within the last five minutes.";

/** `/protection-change/`: changes of an account's limits and allowlist. */
export function protectionChangeRoutes(context: ProtectionContext): readonly Route[] {
  const { db, currencies } = context;
  const resource = changeResource;
  const answer = async (
    { principal }: Pick<ApiRequest, "principal">,
    change: ProtectionChange | null,
  ): Promise<ResourceOf<typeof changeResource> | null> =>
    change === null
      ? null
      : render(await showChange(context, db, principal, change), principal.memberId, currencies);
  return [
    getRoute({
      path: "/protection/",
      summary: "Get how payouts are protected",
      description: forProtectors,
      resource: protectionResource,
      find: async ({ principal }) => {
        const { isAllowlistEnforced, needsApproval } = await readProtection(context, principal);
        return {
          type: "protection",
          id: principal.accountId,
          attributes: {
            is_allowlist_enforced: isAllowlistEnforced,
            needs_approval: needsApproval,
            wait_seconds: context.looseningWaitSeconds,
          },
        };
      },
    }),
    listRoute({
      path: "/protection-change/",
      summary: "List changes of limits and allowlist",
      description: forProtectors,
      resource,
      list: async ({ principal }, query) =>
        mapPage(await listChanges(context, principal, query), (shown) =>
          render(shown, principal.memberId, currencies),
        ),
    }),
    getRoute({
      path: "/protection-change/{id}/",
      summary: "Get a change of limits or allowlist",
      description: forProtectors,
      resource,
      find: async ({ principal, id }) => {
        const shown = await findChange(context, principal, id);
        return shown === null ? null : render(shown, principal.memberId, currencies);
      },
    }),
    createRoute({
      path: "/protection-change/",
      summary: "Change a limit or the allowlist",
      description: `${confirmed} The status of the response is applied or waiting. One change of a setting waits at a time, and at most ${waitingMax} in all. The operator's limits cannot be exceeded.`,
      resource,
      document: newProtectionChangeDocument,
      assertAllowed: requireProtector,
      create: async (request, input) => {
        const change = await askForChange(context, request.principal, input);
        const shown = await showChange(context, db, request.principal, change);
        return render(shown, request.principal.memberId, currencies);
      },
    }),
    actionRoute({
      path: "/protection-change/{id}/approve/",
      summary: "Approve a change that loosens protection",
      description: `${confirmed} Not for the member who asked, nor for one who owes its access to them. The change applies in the same transaction.`,
      resource,
      act: async (request) =>
        answer(request, await approveChange(context, request.principal, request.id)),
    }),
    actionRoute({
      path: "/protection-change/{id}/reject/",
      summary: "Reject a change that loosens protection",
      description: "For people who are Owner or Admin and did not ask for it.",
      resource,
      act: async (request) =>
        answer(request, await rejectChange(context, request.principal, request.id)),
    }),
    actionRoute({
      path: "/protection-change/{id}/withdraw/",
      summary: "Withdraw a change that waits",
      description: "For the person who asked for it.",
      resource,
      act: async (request) =>
        answer(request, await withdrawChange(context, request.principal, request.id)),
    }),
  ];
}

function render(
  { change, whyNotApprove }: ShownChange,
  memberId: string,
  currencies: CurrencyRegistry,
): ResourceOf<typeof changeResource> {
  const exp = change.currency === null ? 0 : currencies.get(change.currency).exp;
  const amount = (units: bigint | null) => (units === null ? null : formatDecimal(units, exp));
  return {
    type: "protection-change",
    id: change.id,
    attributes: {
      kind: change.kind,
      status: change.status,
      loosens: change.loosens,
      span: change.span,
      amount: amount(change.units),
      former_amount: amount(change.formerUnits),
      chain: change.chain,
      address: change.address,
      tag: change.tag,
      label: change.label,
      is_enforced: change.isEnforced,
      note: change.note,
      created_by: { id: change.createdByMemberId, name: change.createdByName },
      created_at: formatTimestamp(change.createdAt),
      applies_at: formatTimestampOrNull(change.appliesAt),
      expires_at: formatTimestampOrNull(change.expiresAt),
      decided_by:
        change.decidedByMemberId === null
          ? null
          : { id: change.decidedByMemberId, name: change.decidedByName ?? "" },
      decided_at: formatTimestampOrNull(change.decidedAt),
      may_approve: whyNotApprove === null,
      approve_refusal:
        whyNotApprove === null
          ? null
          : { reason: whyNotApprove.reason, detail: whyNotApprove.detail },
      may_withdraw: change.status === "waiting" && change.createdByMemberId === memberId,
    },
    relationships: {
      currency: toOne("currency", change.currency),
      wallet: toOne("wallet", change.walletId),
    },
  };
}
