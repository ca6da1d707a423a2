import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Credential } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useAction } from "../../components/use-action.ts";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";

/** The actions on an API key; none for a revoked one. */
export function CredentialActions({
  credential,
  onEdit,
}: {
  readonly credential: Credential;
  readonly onEdit: (credential: Credential) => void;
}) {
  const { id, attributes } = credential;
  const { mayAdministerAccount } = useRole();
  const queryClient = useQueryClient();
  const [isRevoking, setIsRevoking] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["list"] });
  const designating = useAction({
    mutationFn: () => api.post("/credential/{id}/designate/", { id }),
    onSuccess: refresh,
  });
  if (attributes.revoked_at !== null) return null;
  const name = attributes.label === "" ? attributes.login : attributes.label;
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" aria-label={t("Actions for {name}", { name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() => {
              onEdit(credential);
            }}
          >
            {t("Edit")}
          </Menu.Item>
          {attributes.is_designated || !mayAdministerAccount ? null : (
            <Menu.Item
              onClick={() => {
                designating.mutate();
              }}
            >
              {t("Use as default signing key")}
            </Menu.Item>
          )}
          <Menu.Item
            color="red"
            onClick={() => {
              setIsRevoking(true);
            }}
          >
            {t("Revoke")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        isOpen={isRevoking}
        onClose={() => {
          setIsRevoking(false);
        }}
        title={t("Revoke {name}?", { name })}
        action={t("Revoke key")}
        isDangerous
        act={() => api.post("/credential/{id}/revoke/", { id })}
        onDone={() => void refresh()}
      >
        {t(
          "Programs that use this key lose access immediately. This can't be undone. Webhooks for objects created with it are still signed with it.",
        )}
      </ConfirmDialog>
    </>
  );
}
