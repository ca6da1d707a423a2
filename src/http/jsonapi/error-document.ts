import {
  precedenceOf,
  Rejected,
  type Rejection,
  type RejectionName,
  type RejectionSource,
  rejection,
  rejections,
} from "../../platform/kernel/rejection.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";

/** An error document: JSON:API 1.1, "Error Objects". */
export type ErrorAnswer = {
  readonly name: RejectionName;
  readonly status: number;
  readonly body: {
    readonly errors: readonly ErrorObject[];
    /** The errors' `meta`, repeated for readers of the document's meta. */
    readonly meta?: Readonly<Record<string, string>>;
  };
};

type ErrorObject = {
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly source?: RejectionSource;
  /** The request's id. */
  readonly id: string;
  readonly meta?: Readonly<Record<string, string>>;
};

/** The response to anything that was thrown. Only a `Rejected` shows the caller more than its row of the table. */
export function errorAnswer(thrown: unknown, requestId: string): ErrorAnswer {
  const reported = foremost(thrown instanceof Rejected ? thrown.rejections : [unexplained(thrown)]);
  const name = reported[0]?.name ?? "internal";
  return {
    name,
    status: rejections[name].status,
    body: { errors: reported.map((fault) => errorObject(fault, requestId)), ...metaOf(reported) },
  };
}

function metaOf(reported: readonly Rejection[]): Pick<ErrorAnswer["body"], "meta"> {
  const meta = Object.assign({}, ...reported.map((fault) => fault.meta)) as Record<string, string>;
  return Object.keys(meta).length === 0 ? {} : { meta };
}

function unexplained(thrown: unknown): Rejection {
  if (!(thrown instanceof Unavailable))
    return rejection("internal", "An internal error occurred. It has been logged.");
  return thrown.what === "database"
    ? rejection("serviceUnavailable", "The service is not ready. Retry shortly.")
    : rejection("nodeUnavailable", "A blockchain node did not answer correctly. Retry later.");
}

/**
 * Of several rejections, those of the first row of the table, sorted by pointer. On the same field a specific code takes
 * precedence over `invalidValue`.
 */
function foremost(all: readonly Rejection[]): readonly Rejection[] {
  const specific = new Set(
    all.filter((fault) => fault.name !== "invalidValue").map((fault) => place(fault)),
  );
  const kept = all.filter(
    (fault) =>
      fault.name !== "invalidValue" || fault.source === undefined || !specific.has(place(fault)),
  );
  const first = Math.min(...kept.map((fault) => precedenceOf(fault.name)));
  return kept
    .filter((fault) => precedenceOf(fault.name) === first)
    .toSorted((left, right) => (place(left) < place(right) ? -1 : 1));
}

function place(fault: Rejection): string {
  return Object.values(fault.source ?? {}).join("");
}

function errorObject(fault: Rejection, requestId: string): ErrorObject {
  const { status, code, title } = rejections[fault.name];
  return {
    status: String(status),
    code,
    title,
    detail: fault.detail,
    ...(fault.source === undefined ? {} : { source: fault.source }),
    id: requestId,
    ...(fault.meta === undefined ? {} : { meta: fault.meta }),
  };
}
