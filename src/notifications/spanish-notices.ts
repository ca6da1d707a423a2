import type { NoticeWords } from "./notice-words.ts";

export const spanishNotices: NoticeWords = {
  titles: {
    payment_received: "Pago recibido",
    payment_screened: "Pago bloqueado por el control de riesgos",
    payment_held: "Pago retenido",
    payout_held: "Desembolso retenido",
    payout_failed: "Desembolso fallido",
    payout_approval: "Desembolso por aprobar",
    change_approval: "Cambio de la protección de desembolsos por aprobar",
    webhook_failing: "Fallan las entregas de webhooks",
    payouts_stopped: "Los desembolsos están detenidos",
    node_down: "Un nodo no responde",
    node_answers: "Un nodo vuelve a responder",
  },
  many: {
    paid: (count) => `${count} pagos recibidos`,
    on_hold: (count) => `Acción necesaria: ${count} pagos o desembolsos retenidos o fallidos`,
    approval_waiting: (count) => `${count} desembolsos o cambios por aprobar`,
    webhook_failing: (count) => `Fallan las entregas de webhooks a ${count} endpoints`,
    payouts_stopped: (count) => `Los desembolsos están detenidos: ${count} avisos`,
    node_down: (count) => `${count} avisos sobre nodos`,
  },
  notes: {
    payment_received: null,
    payment_screened: "Contará para su depósito cuando un operador lo libere.",
    payment_held:
      "Los fondos quedan retenidos hasta que un miembro del equipo los acepte o los reembolse.",
    payout_held: "Por ahora no se envía. Los fondos siguen reservados.",
    payout_failed:
      "El importe no se ha pagado: está de nuevo en el monedero o, si era un reembolso, retenido en su depósito. Una comisión de red ya gastada no se devuelve.",
    payout_approval:
      "Se enviará cuando un miembro del equipo lo apruebe. Los desembolsos no se pueden revertir: compruebe el destinatario y la dirección completa.",
    change_approval: "Otro propietario o administrador debe aprobarlo en un plazo de siete días.",
    webhook_failing: "Han fallado tres entregas seguidas. Se reintentarán automáticamente.",
    payouts_stopped: "Estos desembolsos no se aceptan ni se envían hasta que se reanuden.",
    node_down:
      "El nodo no responde o no está sincronizado. No se detectan los pagos y los desembolsos esperan.",
    node_answers:
      "El nodo responde desde hace media hora. Durante los {minutes} minutos anteriores no respondió, o solo a ratos.",
  },
  order: (number) => `pedido ${number}`,
  deposit: (name) => `depósito ${name}`,
  payout: (name) => `desembolso ${name}`,
  paidFor: (amount, subject) => `${amount} por el ${subject}`,
  paidTo: (amount, recipient) => `${amount} a ${recipient}`,
  worth: (amount, fiat) => `${amount} (≈ ${fiat})`,
  remark: (text, remark) => `${text} (${remark})`,
  comma: ", ",
  colon: ": ",
  holdCauses: {
    overpaid: (difference) =>
      difference === null ? "pagado de más" : `${difference} pagados de más`,
    partial: (difference) =>
      difference === null ? "pagado de menos" : `${difference} pagados de menos`,
    late: () => "pagado fuera de plazo",
    second_payment: () => "segundo pago",
    cancelled: () => "pagado después de cancelarse",
    screening: () => "bloqueado por el control de riesgos",
  },
  requestedBy: (change, name) => `${change} (solicitado por ${name})`,
  allPayouts: "todos los desembolsos",
  payoutsOn: (chain) => `desembolsos en ${chain}`,
  payoutsOf: (wallet) => `desembolsos del monedero ${wallet}`,
  stopCauses: {
    restore: "restauración",
    reconciliation: "el libro mayor y la blockchain no coinciden",
  },
  labels: {
    order: "Número de pedido",
    deposit: "Depósito",
    payout: "Desembolso",
    trackingId: "ID de seguimiento",
    amount: "Importe",
    value: "Valor",
    recipient: "Destinatario",
    address: "Dirección",
    tag: "Etiqueta",
    change: "Cambio",
    requestedBy: "Solicitado por",
    shop: "Tienda",
  },
  more: (count) => `y ${count} más`,
  openDashboard: "Abrir el panel",
  details: "Abra el panel para ver los detalles.",
  why: "Recibe este correo por sus ajustes de notificaciones.",
  settings: "Cambiar las notificaciones",
};
