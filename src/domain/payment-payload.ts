import { type Static, Type } from '@sinclair/typebox';
import { guard } from './guard.ts';
import { Authorization, PaymentRequirements } from './x402.ts';

/** The signed EIP-3009 authorization. 65 bytes from a plain wallet, some
 * hundred from a smart one, below 2,000 from one that is not deployed yet. */
const Eip3009Payload = Type.Object({
  signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2}){65,2048}$' }),
  authorization: Authorization,
});

/** Another way to pay (Permit2, ERC-7710): known well enough to be refused by name. */
const OtherPayload = Type.Object({ authorization: Type.Optional(Type.Never()) });

/** The client's choice on a network that is not an EVM chain: its addresses look different. */
const ForeignRequirements = Type.Object({
  scheme: Type.String(),
  network: Type.String({ pattern: '^(?!eip155:)' }),
});

const CurrentVersion = Type.Object({
  x402Version: Type.Literal(2),
  accepted: Type.Union([PaymentRequirements, ForeignRequirements]),
  payload: Type.Union([Eip3009Payload, OtherPayload]),
  /** The server's, echoed. */
  extensions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

const OtherVersion = Type.Object({
  x402Version: Type.Union([
    Type.Integer({ exclusiveMaximum: 2 }),
    Type.Integer({ exclusiveMinimum: 2 }),
  ]),
});

/** The content of `PAYMENT-SIGNATURE`. Members that are not named here are ignored. */
export const PaymentPayload = Type.Union([CurrentVersion, OtherVersion]);
export type PaymentPayload = Static<typeof PaymentPayload>;

/** Whether a value has the shape of a payment; whether it is ours to take is `judgePayment`'s say. */
export const isPaymentPayload = guard(PaymentPayload);
