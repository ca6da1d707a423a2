import { Alert, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { useAction } from "../../components/use-action.ts";
import { useListSearch } from "../../components/use-list-search.ts";
import { t } from "../../language/t.ts";
import { resendFilter } from "./resend-filter.ts";

/** Resends the failed callbacks that match the list's filters, a few hundred per request until none is left. */
export function ResendDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const { filter, text } = useListSearch();
  const [includesRetrying, setIncludesRetrying] = useState(false);
  const [resent, setResent] = useState(0);
  const narrowing = resendFilter(filter, text);
  const isNarrowed = Object.keys(narrowing).length > 0;
  const resending = useAction({
    mutationFn: async () => {
      let total = 0;
      for (const status of includesRetrying
        ? (["exhausted", "failing"] as const)
        : (["exhausted"] as const))
        for (let isComplete = false; !isComplete; ) {
          const { data } = await api.post("/callback/resend/", {
            attributes: { status, filter: narrowing },
          });
          total += data.attributes.resent;
          setResent(total);
          isComplete = data.attributes.is_complete || data.attributes.resent === 0;
        }
      return total;
    },
    meta: { isShownByForm: true },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ["list"] });
      void queries.invalidateQueries({ queryKey: ["callback"] });
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t("Resend failed webhooks")}>
      <Stack>
        <Text size="sm">
          {isNarrowed
            ? t("Resends all failed webhooks that match the list's filters.")
            : t("Resends all failed webhooks. Filter the list first to resend fewer.")}{" "}
          {t("Each keeps its webhook ID, so your endpoint can detect duplicates.")}
        </Text>
        <Checkbox
          label={t("Include webhooks that are still being retried")}
          checked={includesRetrying}
          onChange={({ currentTarget }) => {
            setIncludesRetrying(currentTarget.checked);
          }}
        />
        <ErrorAlert error={resending.error} />
        <div role="status">
          {resending.isSuccess ? (
            <Alert
              color="lagoon"
              title={resent === 0 ? t("Nothing to resend") : t("{count} resent", { count: resent })}
            >
              {resent === 0 ? t("No matching webhook has failed.") : t("Delivery is in progress.")}
            </Alert>
          ) : null}
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {resending.isSuccess ? t("Close") : t("Cancel")}
          </Button>
          {resending.isSuccess ? null : (
            <Button
              loading={resending.isPending}
              onClick={() => {
                resending.mutate();
              }}
            >
              {t("Resend")}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
