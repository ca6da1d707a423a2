import type { ApiResponse } from "./api-server.ts";

/** Status, then code and place of each error. */
export function faults(answer: ApiResponse): readonly string[] {
  return [
    String(answer.status),
    ...answer.errors.map(({ code, source }) =>
      [code, source?.pointer ?? source?.parameter ?? source?.header]
        .filter((part) => part !== undefined)
        .join(" "),
    ),
  ];
}
