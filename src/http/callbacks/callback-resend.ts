import { assertMaySend } from "../../callbacks/deliver/assert-may-send.ts";
import {
  type ResendChoice,
  resendCallbacks,
  resendMax,
} from "../../callbacks/deliver/resend-callbacks.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { Rejected, type Rejection, reject, rejection } from "../../platform/kernel/rejection.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type FilterDefinition } from "../../platform/resources/define-resource.ts";
import { boolean, described, integer } from "../../platform/resources/json-schema.ts";
import { filterFault } from "../jsonapi/read-query.ts";
import { actionRoute, type Route } from "../server/route.ts";
import { callbackResource } from "./callback-definition.ts";

const resendResource = defineResource({
  type: "callback-resend",
  description: "What a request to send several callbacks again did.",
  attributes: {
    resent: described(integer, "How many were made due by this request."),
    is_complete: described(boolean, `False: more match than the ${resendMax} one request takes.`),
  },
  relationships: {},
  filters: {},
  sortable: [],
  defaultSort: "id",
});

const failedStatuses = [
  { value: "exhausted", name: "failed until the last attempt" },
  { value: "failing", name: "failed, and waits for the next attempt" },
] as const;

const resendDocument = defineDocument({
  type: "callback-resend",
  fields: {
    ids: {
      kind: "Field",
      schema: { type: "array", items: { type: "string" }, maxItems: resendMax },
      description: "Callbacks by their ids, whatever their status. Either these or `status`.",
    },
    status: { kind: "Choice", choices: failedStatuses },
    filter: {
      kind: "Field",
      schema: { type: "object" },
      description: "With `status`: filters of GET /callback/ that narrow it.",
    },
  },
});

/** `POST /callback/resend/`: many at once. */
export function callbackResendRoutes(deps: {
  readonly db: Database;
  readonly clock: Clock;
}): readonly Route[] {
  return [
    actionRoute({
      path: "/callback/resend/",
      summary: "Send several callbacks again now",
      description: `Those named, or the oldest ${resendMax} of all that failed and match. Sent twice, the second request finds nothing left to do.`,
      resource: resendResource,
      document: resendDocument,
      assertAllowed: assertMaySend,
      act: async ({ principal }, { ids, status, filter }) => {
        const choice = choiceOf(ids, status, filter);
        const { resent, isComplete } = await resendCallbacks(deps, principal, choice);
        return {
          type: "callback-resend",
          id: "0",
          relationships: {},
          attributes: { resent, is_complete: isComplete },
        };
      },
    }),
  ];
}

const at = (name: string) => ({ pointer: `/data/attributes/${name}` });

function choiceOf(
  ids: JsonValue,
  status: "exhausted" | "failing" | null,
  filter: JsonValue,
): ResendChoice {
  if ((ids === null) === (status === null))
    return reject("invalidValue", "Give either ids or status.", at("status"));
  if (status !== null) return { kind: "failed", status, filters: filtersOf(filter) };
  if (filter !== null)
    return reject("invalidValue", "A filter narrows status, not ids.", at("filter"));
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > resendMax)
    return reject("invalidValue", `An array of 1 to ${resendMax} ids is needed.`, at("ids"));
  const texts = (ids as readonly JsonValue[]).map((id) =>
    typeof id === "number" ? String(id) : id,
  );
  refuseAll(
    texts.flatMap((id, index) =>
      typeof id === "string" && isObjectId(id)
        ? []
        : [rejection("invalidValue", "There is no such callback.", at(`ids/${index}`))],
    ),
  );
  return { kind: "ids", ids: texts as readonly string[] };
}

const narrowing = new Map<string, FilterDefinition>(
  Object.entries(callbackResource.filters).filter(([name]) => name !== "id" && name !== "status"),
);

/** The list's own filters, checked by the list's own rules. */
function filtersOf(value: JsonValue): ReadonlyMap<string, string> {
  if (value === null) return new Map();
  if (typeof value !== "object" || Array.isArray(value))
    return reject("invalidValue", "An object of filters is needed.", at("filter"));
  const faults: Rejection[] = [];
  const filters = new Map<string, string>();
  for (const [name, given] of Object.entries(value)) {
    const definition = narrowing.get(name);
    const text = typeof given === "string" || typeof given === "number" ? String(given) : "";
    const fault =
      definition === undefined ? "There is no such filter here." : filterFault(definition, text);
    if (fault === null) filters.set(name, text);
    else faults.push(rejection("invalidValue", fault, at(`filter/${name.slice(0, 64)}`)));
  }
  refuseAll(faults);
  return filters;
}

function refuseAll(faults: readonly Rejection[]): void {
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
}
