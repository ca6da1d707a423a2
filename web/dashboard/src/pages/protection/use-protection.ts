import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ProtectionChange } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { t } from "../../language/t.ts";

/** The attributes and relationships of a new change. */
export type ChangeInput = Parameters<typeof api.post<"/protection-change/">>[1];

/** Asks for a change, after confirming the person's identity where that is due. */
export function askForChange(input: ChangeInput): Promise<{ readonly data: ProtectionChange }> {
  return withReauthentication(() => api.post("/protection-change/", input));
}

/** How the account is protected, and what loosening waits for. */
export function useProtection() {
  return useQuery({
    queryKey: ["protection"],
    queryFn: async ({ signal }) => (await api.get("/protection/", { signal })).data,
  });
}

/** The changes that wait, oldest first. */
export function useWaitingChanges() {
  return useQuery({
    queryKey: ["protection-changes", "waiting"],
    queryFn: async ({ signal }) =>
      (
        await api.list("/protection-change/", {
          filter: { status: "waiting" },
          sort: ["created_at"],
          page: { size: 100 },
          signal,
        })
      ).data,
    refetchInterval: 10_000,
  });
}

const changedKeys = [
  "protection-changes",
  "payout-limits",
  "payees",
  "protection",
  "travel-rule-thresholds",
  "payout-requirements",
] as const;

/** Reloads what a change affects, and says what became of it. */
export function useChanged(): (change: ProtectionChange) => void {
  const queries = useQueryClient();
  return ({ attributes }) => {
    for (const key of changedKeys) void queries.invalidateQueries({ queryKey: [key] });
    notifications.show({
      color: attributes.status === "waiting" ? "yellow" : "teal",
      message: messageOf(attributes),
    });
  };
}

function messageOf({
  status,
  applies_at: appliesAt,
}: Pick<ProtectionChange["attributes"], "status" | "applies_at">): string {
  if (status === "waiting")
    return appliesAt === null
      ? t("The change is waiting for another Owner or Admin to approve it.")
      : t("Nobody else can approve this change, so it takes effect after a waiting period.");
  return status === "applied"
    ? t("The change is in effect.")
    : t("The change is no longer pending.");
}
