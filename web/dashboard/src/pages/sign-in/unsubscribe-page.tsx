import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ButtonLink } from "../../components/button-link.tsx";
import { t } from "../../language/t.ts";
import { linkToken, PublicPage } from "./public-page.tsx";

/** Ends a member's notifications by the link in one of them, without signing in. */
export function UnsubscribePage() {
  const ending = useMutation({
    mutationFn: async () => {
      const path = `/unsubscribe/${encodeURIComponent(linkToken())}/`;
      const { ok } = await fetch(path, { method: "POST" });
      if (!ok) throw new Error("This link isn't valid.");
    },
    meta: { isShownByForm: true },
  });
  return (
    <PublicPage title={t("Stop notifications")}>
      {ending.isSuccess ? (
        <>
          <Text role="status">{t("You won't get any more notifications by email.")}</Text>
          <ButtonLink to="/profile">{t("Open notification settings")}</ButtonLink>
        </>
      ) : (
        <>
          <Text>
            {t(
              "You can choose individual notifications in your profile instead. Emails that you request yourself, such as password resets, still arrive.",
            )}
          </Text>
          {ending.isError ? (
            <Text role="alert" c="red">
              {t("The link isn't valid, or the service can't be reached.")}
            </Text>
          ) : null}
          <Button
            loading={ending.isPending}
            onClick={() => {
              ending.mutate();
            }}
          >
            {t("Stop all notifications")}
          </Button>
        </>
      )}
    </PublicPage>
  );
}
