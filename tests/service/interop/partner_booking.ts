// A partner's program with a client generated from the platform's document.
import createClient from 'openapi-fetch';

import type { components, paths } from './marketplace_a.js';

type Submission = components['schemas']['BookingSubmission'];

// @ts-expect-error: a submission requires a tenant
export const incomplete: Submission = { externalId: '771', checkInDate: '2027-02-01', checkOutDate: '2027-05-01' };

export async function book(baseUrl: string, token: string, bookingId: string): Promise<string> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
  const read = await client.GET('/marketplace-a/listings/{externalId}', { params: { path: { externalId: '771' } } });
  if (!read.data) return `not read: ${read.error.message}`;
  const submission: Submission = {
    externalId: read.data.externalId,
    bookingId,
    checkInDate: '2027-02-01',
    checkOutDate: '2027-05-01',
    platformProviderPaymentValue: read.data.rent,
    tenant: { firstName: 'Ada', lastName: 'Marsh', email: 'ada@guests.example' },
  };
  const booked = await client.POST('/marketplace-a/bookings', { body: submission });
  if (!booked.data) return `not booked: ${booked.error.message}`;
  const wrong = await client.POST('/marketplace-a/bookings', { body: { ...submission, checkInDate: 'soon' } });
  return `booked at ${read.data.rent} a month, ${booked.data.identifiers.length} receipt; then ${wrong.error?.message}`;
}
